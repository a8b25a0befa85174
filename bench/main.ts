/**
 * `npm run bench`: how fast offloading is, beside what two clusters can do without. Everything on one machine, every ratio
 * from one run: a machine that is busy with something else is slower in both. Ends with 2 when the flags make no sense.
 */
import { setMaxListeners } from 'node:events';
import { type BenchOptions, OptionsError, parseBenchOptions, usage } from './bench-options.ts';
import { benchOffloading } from './offloading.ts';
import { printTable } from './print-table.ts';
import { describeMachine, keepResults } from './results.ts';

const say = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  let options: BenchOptions;
  try {
    options = parseBenchOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    say(error.message);
    process.exitCode = 2;
    return;
  }
  if (options.help) process.stdout.write(`${usage}\n`);
  else if (options.suite === 'client') await import('./client.ts');
  else await offloading(options);
}

async function offloading({ suite, name, json, ...wanted }: BenchOptions): Promise<void> {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  const machine = describeMachine();
  const when = new Date().toISOString();
  const rows = await benchOffloading({ ...wanted, say });
  const results = { suite, when, machine, rows };
  if (json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
  else process.stdout.write(`${printTable(rows)}\n`);
  if (name !== undefined) say(`kept in ${keepResults(results, name)}`);
}

setMaxListeners(0);
await main();
