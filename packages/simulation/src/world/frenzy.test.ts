import { VirtualClock } from '@liqo/testkit';
import type { ApiCall } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { Frenzy } from './frenzy.ts';

const call = { who: 'rome/controller-manager', verb: 'delete', resource: 'nodes' } as ApiCall;

test('Frenzy stops calls without a pause, and only those', async () => {
  const clock = new VirtualClock();
  const frenzy = new Frenzy(clock);
  const callOften = (times: number) => {
    for (let i = 0; i < times; i++) frenzy.note(call);
  };
  callOften(5_000);
  await clock.advance(1);
  callOften(5_000);
  expect(frenzy.found).toBeUndefined();
  expect(() => frenzy.note(call)).toThrow('Cannot delete nodes');
  expect(frenzy.found).toMatch(/more than 5000 calls .* by rome\/controller-manager: delete nodes/);
  await clock.advance(1);
  callOften(1);
});
