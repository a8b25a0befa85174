import { parseArgs } from 'node:util';

export interface SimulateOptions {
  readonly seeds: number;
  readonly from: number;
  readonly workers: number;
  /** The crash sweep in place of random worlds. */
  readonly sweep: boolean;
}

export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

const usage =
  'Usage: npm run simulate -- [--seeds 2000] [--from 1] [--workers 1], whole numbers all of them, or npm run simulate -- --sweep [--workers 1] for a crash at every write of one story.';

/** Throws an `OptionsError` whose message is all that somebody needs to do better. */
export function parseSimulateOptions(args: readonly string[]): SimulateOptions {
  const { values } = parse(args);
  return {
    seeds: count('seeds', values.seeds, 1),
    from: count('from', values.from, 0),
    workers: count('workers', values.workers, 1),
    sweep: values.sweep,
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
      },
    });
  } catch (error) {
    const [fact = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw new OptionsError(`Cannot simulate: ${fact.replace(/\.$/, '')}. ${usage}`);
  }
}

function count(name: string, text: string, least: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least) return number;
  const wanted = `a whole number of at least ${least}`;
  throw new OptionsError(`Cannot simulate: --${name} must be ${wanted}, not "${text}". ${usage}`);
}
