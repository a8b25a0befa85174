import { describeCrash, type Recording } from '@liqo/testkit/faults';
import { beforeAll, expect, test } from 'vitest';
import { type Blueprint, drawBlueprint } from '../world/blueprint.ts';
import { disturbances } from './disturbances.ts';
import { playCalmly, playDisturbed, sweepStory } from './sweep-story.ts';

/** Each of them plays the story several times. */
const timeout = 600_000;
let blueprint: Blueprint;
let calm: Recording;

beforeAll(async () => {
  blueprint = await drawBlueprint(['rome', 'milan']);
  calm = await playCalmly(blueprint);
}, timeout);

test('the story of offloading is played with pods over there, and leaves nothing behind', () => {
  const podsIn = (index: number, where: string) =>
    calm[index]?.objects.filter(({ name }) => name.startsWith(where)).length;
  expect(podsIn(0, 'milan Pod shop-rome/')).toBe(3);
  expect(podsIn(1, 'milan Pod shop-rome/')).toBe(2);
  expect(podsIn(2, 'milan Pod shop-rome/')).toBe(0);
  const traces = calm[3]?.objects.filter(({ name }) => /mynode|shop|NamespaceMap/.test(name));
  expect(traces?.map(({ name }) => name)).toEqual([]);
});

/** The rest is tried by `npm run simulate -- --sweep`. */
const step = 67;

test(
  'the story of offloading ends the same, whichever process died at one of its writes',
  async () => {
    const isTried = (_site: unknown, index: number) => index % step === step - 1;
    const { tried, failures } = await sweepStory(blueprint, { isTried });
    expect(failures.map(describeCrash).join('\n')).toBe('');
    expect(tried).toBeGreaterThan(1);
  },
  timeout,
);

const chosen = ['somebody else is faster at first', 'everything at once'];

test.each(disturbances.filter(({ name }) => chosen.includes(name)))(
  'the story of offloading ends the same when $name',
  async (disturbance) => {
    const differences = await playDisturbed(blueprint, disturbance, calm);
    expect(differences.join('\n')).toBe('');
  },
  timeout,
);
