import { startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { startRealCluster } from '@liqo/testkit';
import { compareTraces } from '../../packages/testkit/src/random-programs/compare-traces.ts';
import { generateProgram } from '../../packages/testkit/src/random-programs/generate-program.ts';
import { normaliseTrace } from '../../packages/testkit/src/random-programs/normalise-trace.ts';
import { prepareServer } from '../../packages/testkit/src/random-programs/prepare-server.ts';
import type { Program } from '../../packages/testkit/src/random-programs/program.ts';
import { runProgram } from '../../packages/testkit/src/random-programs/run-program.ts';

/** A minicluster and a real API server, nobody acting on either but the programs. */
export interface Comparison extends AsyncDisposable {
  /** Each seed once: its namespaces stay. */
  compare(seed: number): Promise<Verdict>;
}

interface Verdict {
  readonly program: Program;
  /** Where the two disagree, if they do. */
  readonly difference: string | undefined;
  readonly ours: unknown;
  readonly real: unknown;
}

export async function startComparison(): Promise<Comparison> {
  const ours = await startMinicluster({
    clock: systemClock,
    random: systemRandom,
    controllers: false,
  });
  // Programs bring the service accounts that its admission asks for.
  const admission = { 'disable-admission-plugins': 'DefaultIngressClass' };
  const real = await startRealCluster({ components: 'api-only', apiServerFlags: admission });
  await Promise.all([prepareServer(ours.client), prepareServer(real.client)]);
  return {
    compare: async (seed) => {
      const program = generateProgram(seed);
      const traces = await Promise.all([
        runProgram(ours.client, program),
        runProgram(real.client, program),
      ]);
      const [left, right] = traces;
      const difference = compareTraces(program, left, right);
      return { program, difference, ours: normaliseTrace(left), real: normaliseTrace(right) };
    },
    [Symbol.asyncDispose]: async () => {
      await real[Symbol.asyncDispose]();
      await ours[Symbol.asyncDispose]();
    },
  };
}
