/** Tries one part of the crash sweep, tells what it has tried, and ends. */
import { runWholeSweep, type SweepPart } from '../src/story/whole-sweep.ts';

process.once('message', async (part: SweepPart) => {
  const { failures } = await runWholeSweep({
    part,
    onTried: (what, isGood) => process.send?.({ what, isGood }),
  });
  for (const failure of failures) process.send?.({ failure });
  process.disconnect();
});
