/** Tries one part of the crash sweep, tells what it has tried, and ends. */
import { stories } from '../src/story/stories.ts';
import { runWholeSweep, type SweepPart } from '../src/story/whole-sweep.ts';

export interface SweepOrder extends SweepPart {
  /** The only one that is swept; all of them when absent. */
  readonly story?: string;
}

process.once('message', async ({ story: only, ...part }: SweepOrder) => {
  for (const story of stories.filter(({ name }) => only === undefined || name === only)) {
    const { failures } = await runWholeSweep({
      story,
      part,
      onTried: (what, isGood) => process.send?.({ what, isGood }),
    });
    for (const failure of failures) process.send?.({ failure });
  }
  process.disconnect();
});
