import { expect, test } from 'vitest';
import { drawnOnce } from '../world/blueprint.ts';
import { generateStory } from './generate-story.ts';
import { describeVerdict, judgeSeed } from './judge-seed.ts';
import { knownStories } from './known-stories.ts';
import { runStory } from './run-story.ts';

const patient = { timeout: 300_000 };
const blueprintOf = drawnOnce();

const few = Array.from({ length: 5 }, (_, index) => 1_000_001 + index);

test.each(few)('the story of seed %i ends well', patient, async (seed) => {
  const verdict = await judgeSeed(seed, blueprintOf);
  if (verdict.wrongs.length > 0) throw new Error(describeVerdict(verdict));
});

test.each(knownStories)('ends well, though $once', patient, async (story) => {
  const { wrongs } = await runStory(story, blueprintOf);
  expect(wrongs).toEqual([]);
});

test('runStory() makes the same calls for the same seed, every one of them', patient, async () => {
  const story = generateStory(2);
  const [first, second] = [await runStory(story, blueprintOf), await runStory(story, blueprintOf)];
  expect(first.calls.length).toBeGreaterThan(100);
  expect(second).toEqual(first);
});
