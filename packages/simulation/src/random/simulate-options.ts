import { parseArgs } from 'node:util';
import { stories } from '../story/stories.ts';

export interface SimulateOptions {
  readonly seeds: number;
  readonly from: number;
  readonly workers: number;
  /** The crash sweep in place of random worlds. */
  readonly sweep: boolean;
  /** All of the sweep, not only what is enough for every commit. */
  readonly whole: boolean;
  /** Of the sweep; all of them when absent. */
  readonly story?: string;
}

export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const usage =
  'Usage: npm run simulate -- [--seeds 2000] [--from 1] [--workers 1], whole numbers all of them, or npm run simulate -- --sweep [--whole] [--story offloading] [--workers 1] for a crash at every write of fixed stories.';

/** Throws an `OptionsError` whose message is all that somebody needs to do better. */
export function parseSimulateOptions(args: readonly string[]): SimulateOptions {
  const { values } = parse(args);
  return {
    seeds: count('seeds', values.seeds, 1),
    from: count('from', values.from, 0),
    workers: count('workers', values.workers, 1),
    sweep: values.sweep,
    whole: values.whole,
    ...(values.story !== undefined && { story: storyName(values.story) }),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seeds: { type: 'string', default: '2000' },
        from: { type: 'string', default: '1' },
        workers: { type: 'string', default: '1' },
        sweep: { type: 'boolean', default: false },
        whole: { type: 'boolean', default: false },
        story: { type: 'string' },
      },
    });
  } catch (error) {
    const [fact = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new OptionsError(`Cannot simulate: ${fact.replace(/\.$/, '')}. ${usage}`);
  }
}

function storyName(text: string): string {
  const names = stories.map(({ name }) => name);
  if (names.includes(text)) return text;
  const wanted = `one of ${names.join(', ')}`;
  throw new OptionsError(`Cannot simulate: --story must be ${wanted}, not "${text}". ${usage}`);
}

function count(name: string, text: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  const wanted = `a whole number of at least ${least}`;
  throw new OptionsError(`Cannot simulate: --${name} must be ${wanted}, not "${text}". ${usage}`);
}
