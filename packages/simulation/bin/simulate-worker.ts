/** Judges the seeds that it is sent, one after the other, until nobody listens any more. */
import { judgeSeed } from '../src/random/judge-seed.ts';
import { home, provider } from '../src/random/names.ts';
import { drawBlueprint } from '../src/world/blueprint.ts';

// Errors are part of every story, and nobody reads where most of them come from.
Error.stackTraceLimit = 4;

const blueprint = await drawBlueprint([home, provider]);
process.on('message', async (seed: number) => {
  process.send?.(await judgeSeed(seed, blueprint));
});
process.send?.('ready');
