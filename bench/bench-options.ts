import { parseArgs } from 'node:util';
import { scenarios } from './offloading.ts';

export interface BenchOptions {
  readonly suite: 'offloading' | 'client';
  /** Beginnings of names of scenarios; all when empty. */
  readonly only: readonly string[];
  /** Instead of what each scenario says itself. */
  readonly repeats?: number;
  readonly json: boolean;
  /** What the results are kept as. */
  readonly name?: string;
  readonly help: boolean;
}

export class OptionsError extends Error {
  override readonly name = 'OptionsError';
}

export const usage = `npm run bench -- [offloading | client] [options]
  --only <scenario>   begins with this; may be repeated: ${scenarios.map(({ name }) => name).join(' ')}
  --repeats <n>       instead of what each scenario does by itself
  --json              prints the results for machines
  --name <name>       keeps them as bench/results/<date>-<name>.json`;

/** Throws an `OptionsError` whose message is all that somebody needs to do better. */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values, positionals } = parse(args);
  const { only, repeats, name, json, help } = values;
  return {
    suite: suiteOf(positionals),
    only: only.map(knownBeginning),
    ...(repeats !== undefined && { repeats: numberOfTimes(repeats) }),
    ...(name !== undefined && { name }),
    json,
    help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true, default: [] },
        repeats: { type: 'string' },
        json: { type: 'boolean', default: false },
        name: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    const [fact = ''] = (error instanceof Error ? error.message : String(error)).split('. ');
    throw refusal(fact.replace(/\.$/, ''));
  }
}

function suiteOf([suite = 'offloading', ...more]: readonly string[]): BenchOptions['suite'] {
  if (more.length > 0) throw refusal('one benchmark at a time');
  if (suite === 'offloading' || suite === 'client') return suite;
  throw refusal(`there is no benchmark "${suite}"`);
}

function knownBeginning(prefix: string): string {
  if (scenarios.some(({ name }) => name.startsWith(prefix))) return prefix;
  throw refusal(`no scenario begins with "${prefix}"`);
}

function numberOfTimes(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw refusal(`--repeats takes a whole number from 1 on, not "${text}"`);
}

function refusal(why: string): OptionsError {
  return new OptionsError(`Cannot run the benchmark: ${why}\n\n${usage}`);
}
