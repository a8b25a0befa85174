import { expect, test } from 'vitest';
import { keepGenerations } from './keep-generations.ts';
import type { PodCondition } from './pod-status.ts';

const ready = (observedGeneration?: number): PodCondition => ({
  type: 'Ready',
  status: 'False',
  ...(observedGeneration !== undefined && { observedGeneration }),
});

test.each([
  ['keeps the generation that the new condition does not say', ready(), [ready(3)], ready(3)],
  ['takes the generation that it says', ready(4), [ready(3)], ready(4)],
  ['adds none where there was none', ready(), [ready()], ready()],
  ['adds none to a new condition', ready(), [], ready()],
])('keepGenerations() %s', (_, next, before, kept) => {
  expect(keepGenerations({ conditions: [next] }, { conditions: before })).toEqual({
    conditions: [kept],
  });
});

test('keepGenerations() leaves a status without conditions as it is', () => {
  expect(keepGenerations({ phase: 'Pending' }, { conditions: [ready(3)] })).toEqual({
    phase: 'Pending',
  });
});
