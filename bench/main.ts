import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { benchOffloading, scenarios } from './offloading.ts';
import { printTable } from './print-table.ts';
import { describeMachine, keepResults } from './results.ts';

/**
 * `npm run bench`: how fast offloading is, beside what two clusters can do without. Everything on one machine, every ratio
 * from one run: a machine that is busy with something else is slower in both.
 */
const usage = `npm run bench -- [offloading | client] [options]
  --only <scenario>   begins with this; may be repeated: ${scenarios.map(({ name }) => name).join(' ')}
  --repeats <n>       instead of what each scenario does by itself
  --json              prints the results for machines
  --name <name>       keeps them as bench/results/<date>-<name>.json`;

setMaxListeners(0);
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    repeats: { type: 'string' },
    json: { type: 'boolean', default: false },
    name: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const [suite = 'offloading'] = positionals;
const unknown = values.only.find(
  (prefix) => !scenarios.some(({ name }) => name.startsWith(prefix)),
);
const say = (line: string) => process.stderr.write(`${line}\n`);

if (values.help) process.stdout.write(`${usage}\n`);
else if (suite === 'client') await import('./client.ts');
else if (suite !== 'offloading') refuse(`the benchmark "${suite}": there is none of that name`);
else if (unknown !== undefined) refuse(`"${unknown}": no scenario begins with that name`);
else await offloading();

function refuse(what: string): void {
  say(`Cannot run ${what}\n\n${usage}`);
  process.exitCode = 2;
}

async function offloading(): Promise<void> {
  const machine = describeMachine();
  const when = new Date().toISOString();
  const repeats = values.repeats === undefined ? {} : { repeats: Number(values.repeats) };
  const rows = await benchOffloading({ only: values.only, ...repeats, say });
  const results = { suite, when, machine, rows };
  if (values.json) process.stdout.write(`${JSON.stringify(results, undefined, 2)}\n`);
  else process.stdout.write(`${printTable(rows)}\n`);
  if (values.name) say(`kept in ${keepResults(results, values.name)}`);
}
