/** Judges the seeds that it is sent, one after the other, until nobody listens any more. */
import { judgeSeed } from '../src/random/judge-seed.ts';
import { drawnOnce } from '../src/world/blueprint.ts';

// Errors are part of every story, and nobody reads where most of them come from.
Error.stackTraceLimit = 4;

const blueprintOf = drawnOnce();
process.on('message', async (seed: number) => {
  process.send?.(await judgeSeed(seed, blueprintOf));
});
process.send?.('ready');
