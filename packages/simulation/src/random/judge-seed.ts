import { shrinkList } from '@liqo/testkit';
import { describeStep } from './describe-step.ts';
import { generateStory } from './generate-story.ts';
import { type BlueprintOf, runStory } from './run-story.ts';
import type { Step } from './step.ts';

/** What came of a seed. */
export interface Verdict {
  readonly seed: number;
  /** What must not be; empty when all is well. */
  readonly wrongs: readonly string[];
  /** The shortest story found that ends the same way, a line a step. */
  readonly story?: readonly string[];
  readonly simulatedMs: number;
  /** How many calls the product has made. */
  readonly calls: number;
}

/** Plays the story of a seed; one that goes wrong is made as short as it still goes wrong in the same way. */
export async function judgeSeed(seed: number, blueprintOf: BlueprintOf): Promise<Verdict> {
  const story = generateStory(seed);
  const { steps } = story;
  const { wrongs, simulatedMs, calls } = await runStory(story, blueprintOf);
  const verdict = { seed, wrongs, simulatedMs, calls: calls.length };
  const [first] = wrongs;
  if (first === undefined) return verdict;
  const goesWrongAlike = async (fewer: readonly Step[]) => {
    const result = await runStory({ ...story, steps: fewer }, blueprintOf);
    return result.wrongs.some((wrong) => gist(wrong) === gist(first));
  };
  const shortest = await shrinkList(steps, goesWrongAlike);
  return { ...verdict, story: shortest.map(describeStep) };
}

/** Names differ from one story to the next. */
function gist(wrong: string): string {
  return wrong.replaceAll(/"[^"]*"|\S*[-/]\S*|\d+/g, '').slice(0, 40);
}

/** For people: what is wrong, the story, and how to see it again. */
export function describeVerdict({ seed, wrongs, story }: Verdict): string {
  return [
    `Seed ${seed} goes wrong: ${wrongs[0]}`,
    ...wrongs.slice(1, 6).map((wrong) => `  also: ${wrong}`),
    ...(wrongs.length > 6 ? [`  and ${wrongs.length - 6} more`] : []),
    ...(story ? ['The story, as short as it still goes wrong:', ...numbered(story)] : []),
    `See it again: npm run simulate -- --from ${seed} --seeds 1`,
  ].join('\n');
}

function numbered(lines: readonly string[]): string[] {
  return lines.map((line, index) => `  ${index + 1}. ${line}`);
}
