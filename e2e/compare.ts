/**
 * `npm run compare [-- --programs 2000 --from SEED]`: runs random programs on minicluster and on real Kubernetes, and
 * prints every disagreement with the program that shows it.
 */
import { parseArgs } from 'node:util';
import { describeStep } from '../packages/testkit/src/random-programs/program.ts';
import { startComparison } from './random-programs/start-comparison.ts';

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    /** Goes on after a disagreement. */
    all: { type: 'boolean', default: false },
  },
});

function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`Cannot compare: --${option} must be a whole number, not "${text}"`);
}

const say = (text: string) => process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const first = wholeNumber('from', values.from);
  const count = wholeNumber('programs', values.programs);
  await using comparison = await startComparison();
  let disagreements = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { program, difference, ours, real } = await comparison.compare(seed);
    if (difference === undefined) continue;
    disagreements++;
    say(difference);
    if (values.all) continue;
    say(
      ['The program:', ...program.steps.map((step, i) => `${i} ${describeStep(step)}`)].join('\n'),
    );
    say(`minicluster: ${JSON.stringify(ours, undefined, 1)}`);
    say(`kubernetes: ${JSON.stringify(real, undefined, 1)}`);
    return 1;
  }
  say(`${count - disagreements} of ${count} programs agree, from seed ${first}`);
  return disagreements === 0 ? 0 : 1;
}

process.exitCode = await main();
