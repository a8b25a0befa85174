import { describeCrash, type Recording } from '@liqo/testkit/faults';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Blueprint } from '../world/blueprint.ts';
import { disturbances } from './disturbances.ts';
import { offloadingStory } from './offloading-story.ts';
import { peeringStory } from './peering-story.ts';
import { reflectionStory } from './reflection-story.ts';
import type { Story } from './story.ts';
import { playCalmly, playDisturbed, sweepStory } from './sweep-story.ts';
import { prepareStory } from './whole-sweep.ts';

/** Each of them plays the story several times. The rest is tried by `npm run simulate -- --sweep`. */
const timeout = 600_000;

interface Played {
  readonly blueprint: Blueprint;
  readonly calm: Recording;
}

async function playOnce(story: Story): Promise<Played> {
  const blueprint = await prepareStory(story);
  return { blueprint, calm: await playCalmly(story, blueprint) };
}

/** How many objects there were in each scene whose names begin like this. */
function counts({ calm }: Played, start: string): readonly number[] {
  return calm
    .slice(0, -1)
    .map(({ objects }) => objects.filter(({ name }) => name.startsWith(start)).length);
}

/** What is left in the last scene. */
function traces({ calm }: Played, pattern: RegExp): readonly string[] {
  const names = calm.at(-2)?.objects.map(({ name }) => name) ?? [];
  return names.filter((name) => pattern.test(name));
}

async function expectSameEnd(story: Story, { blueprint, calm }: Played, name: string) {
  const disturbance = disturbances.find((one) => one.name === name);
  if (!disturbance) throw new Error(`Cannot find the disturbance "${name}"`);
  const differences = await playDisturbed(story, blueprint, disturbance, calm);
  expect(differences.join('\n')).toBe('');
}

describe('the story of offloading', () => {
  let played: Played;
  beforeAll(async () => {
    played = await playOnce(offloadingStory);
  }, timeout);

  test('is played with pods at the provider, and leaves nothing behind', () => {
    expect(counts(played, 'milan Pod shop-rome/')).toEqual([3, 2, 0, 0]);
    expect(traces(played, /mynode|shop|NamespaceMap/)).toEqual([]);
  });

  const step = 67;

  test(
    'ends the same, whichever process died at one of its writes',
    async () => {
      const isTried = (_site: unknown, index: number) => index % step === step - 1;
      const { tried, failures } = await sweepStory(offloadingStory, played.blueprint, { isTried });
      expect(failures.map(describeCrash).join('\n')).toBe('');
      expect(tried).toBeGreaterThan(1);
    },
    timeout,
  );

  test.each(['somebody else is faster at first', 'everything at once'])(
    'ends the same when %s',
    (name) => expectSameEnd(offloadingStory, played, name),
    timeout,
  );
});

describe('the story of peering', () => {
  let played: Played;
  beforeAll(async () => {
    played = await playOnce(peeringStory);
  }, timeout);

  test('is played with pods at the provider, and leaves nothing behind', () => {
    expect(counts(played, 'milan Pod shop-rome/')).toEqual([2, 3, 3, 4, 0]);
    expect(counts(played, 'milan ShadowPod shop-rome/')).toEqual([2, 3, 4, 4, 0]);
    expect(counts(played, 'milan Quota liqo-tenant-rome/')).toEqual([1, 1, 1, 1, 0]);
    const left = /mypool|shop|NamespaceMap|tenant|controlplane|ForeignCluster|SigningRequest/;
    expect(traces(played, left)).toEqual([]);
  });

  test(
    'ends the same when every cache is one version behind',
    () => expectSameEnd(peeringStory, played, 'every cache is one version behind'),
    timeout,
  );
});

describe('the story of reflection', () => {
  let played: Played;
  beforeAll(async () => {
    played = await playOnce(reflectionStory);
  }, timeout);

  test('is played with copies at the provider, and leaves nothing behind', () => {
    expect(counts(played, 'milan Secret shop-rome/password')).toEqual([1, 1, 0, 0]);
    expect(counts(played, 'milan ConfigMap shop-rome/prices')).toEqual([0, 1, 1, 0]);
    expect(counts(played, 'milan Service shop-rome/web')).toEqual([1, 1, 0, 0]);
    expect(traces(played, /shop-rome/)).toEqual([]);
  });

  test.each(['every cache is one version behind', 'everything at once'])(
    'ends the same when %s',
    (name) => expectSameEnd(reflectionStory, played, name),
    timeout,
  );
});
