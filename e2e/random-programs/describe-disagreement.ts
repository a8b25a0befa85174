import { describeProgram, keptSteps } from '../../packages/testkit/src/random-programs/program.ts';
import type { Verdict } from './start-comparison.ts';

/** What differs, the program that shows it, and how to run just that again. */
export function describeDisagreement({ program, difference = '' }: Verdict): string {
  const steps = keptSteps(program).join(',');
  return [
    difference,
    'The program:',
    describeProgram(program),
    `Again: npm run compare -- --from ${program.seed} --programs 1 --steps ${steps}`,
  ].join('\n');
}
