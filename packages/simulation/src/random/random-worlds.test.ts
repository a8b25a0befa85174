import { beforeAll, expect, test } from 'vitest';
import { type Blueprint, drawBlueprint } from '../world/blueprint.ts';
import { generateStory } from './generate-story.ts';
import { describeVerdict, judgeSeed } from './judge-seed.ts';
import { knownSeeds } from './known-seeds.ts';
import { home, provider } from './names.ts';
import { runStory } from './run-story.ts';

const patient = { timeout: 300_000 };
let blueprint: Blueprint;
beforeAll(async () => {
  blueprint = await drawBlueprint([home, provider]);
}, patient.timeout);

const few = Array.from({ length: 5 }, (_, index) => 1_000_001 + index);

test.each(few)('the story of seed %i ends well', patient, async (seed) => {
  const verdict = await judgeSeed(seed, blueprint);
  if (verdict.wrongs.length > 0) throw new Error(describeVerdict(verdict));
});

test.each(knownSeeds)('seed %i ends well, though once %s', patient, async (seed) => {
  const verdict = await judgeSeed(seed, blueprint);
  if (verdict.wrongs.length > 0) throw new Error(describeVerdict(verdict));
});

test('runStory() makes the same calls for the same seed, every one of them', patient, async () => {
  const story = generateStory(2);
  const [first, second] = [await runStory(story, blueprint), await runStory(story, blueprint)];
  expect(first.calls.length).toBeGreaterThan(100);
  expect(second).toEqual(first);
});
