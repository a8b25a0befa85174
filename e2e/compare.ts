/**
 * `npm run compare [-- --programs 2000 --from SEED --steps 3,8 --all --traces]`: runs random programs on minicluster and
 * on real Kubernetes, and prints the first disagreement, or all, reduced to the calls that show it.
 */
import { parseArgs } from 'node:util';
import { systemClock } from '@liqo/runtime';
import { normaliseTrace } from '../packages/testkit/src/random-programs/normalise-trace.ts';
import { describeDisagreement } from './random-programs/describe-disagreement.ts';
import { startComparison, type Verdict } from './random-programs/start-comparison.ts';

const { values } = parseArgs({
  options: {
    programs: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    /** Takes only these steps of each program. */
    steps: { type: 'string' },
    /** Goes on after a disagreement. */
    all: { type: 'boolean', default: false },
    /** Shows everything that both answered to a program that they disagree about. */
    traces: { type: 'boolean', default: false },
  },
});

function wholeNumber(option: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new Error(`Cannot compare: --${option} must be a whole number, not "${text}"`);
}

const say = (text: string) => process.stdout.write(`${text}\n`);

function sayDisagreement(verdict: Verdict): void {
  say(describeDisagreement(verdict));
  if (!values.traces) return;
  say(`minicluster: ${JSON.stringify(normaliseTrace(verdict.ours), undefined, 1)}`);
  say(`kubernetes: ${JSON.stringify(normaliseTrace(verdict.real), undefined, 1)}`);
}

async function main(): Promise<number> {
  const first = wholeNumber('from', values.from);
  const count = wholeNumber('programs', values.programs);
  const kept = values.steps?.split(',').map((step) => wholeNumber('steps', step));
  await using comparison = await startComparison();
  const startMs = systemClock.now();
  let disagreements = 0;
  for (let seed = first; seed < first + count; seed++) {
    const verdict = await comparison.compare(seed, kept);
    if (verdict.difference === undefined) continue;
    disagreements++;
    sayDisagreement(await comparison.reduce(verdict));
    if (!values.all) return 1;
  }
  const minutes = (systemClock.now() - startMs) / 60_000;
  const speed = `${Math.round(count / minutes)} a minute`;
  say(`${count - disagreements} of ${count} programs agree, from seed ${first}, ${speed}`);
  return disagreements === 0 ? 0 : 1;
}

process.exitCode = await main();
