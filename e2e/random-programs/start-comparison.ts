import type { Client } from '@liqo/kube';
import { startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { startRealCluster } from '@liqo/testkit/real-cluster';
import { compareTraces } from '../../packages/testkit/src/random-programs/compare-traces.ts';
import { generateProgram } from '../../packages/testkit/src/random-programs/generate-program.ts';
import { prepareServer } from '../../packages/testkit/src/random-programs/prepare-server.ts';
import type { Program } from '../../packages/testkit/src/random-programs/program.ts';
import { runProgram, type Trace } from '../../packages/testkit/src/random-programs/run-program.ts';
import { shrink } from '../../packages/testkit/src/random-programs/shrink.ts';

/** A minicluster and a real API server, nobody acting on either but the programs. */
export interface Comparison extends AsyncDisposable {
  /** Runs the program of a seed, or some of its steps, in namespaces of its own on both. */
  compare(seed: number, kept?: readonly number[]): Promise<Verdict>;
  /** A disagreement without the steps that it does not need. */
  reduce(disagreement: Verdict): Promise<Verdict>;
}

export interface Verdict {
  readonly program: Program;
  /** Where the two disagree, if they do. */
  readonly difference: string | undefined;
  readonly ours: Trace;
  readonly real: Trace;
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
  const compare = comparer(ours.client, real.client);
  return {
    compare,
    reduce: (disagreement) => reduce(disagreement, compare),
    [Symbol.asyncDispose]: async () => {
      await real[Symbol.asyncDispose]();
      await ours[Symbol.asyncDispose]();
    },
  };
}

function comparer(ourClient: Client, realClient: Client): Comparison['compare'] {
  let runs = 0;
  return async (seed, kept) => {
    const program = { ...generateProgram(seed, `p${seed}r${++runs}`), kept };
    const [ours, real] = await Promise.all([
      runProgram(ourClient, program),
      runProgram(realClient, program),
    ]);
    return { program, difference: compareTraces(program, ours, real), ours, real };
  };
}

async function reduce(disagreement: Verdict, compare: Comparison['compare']): Promise<Verdict> {
  let smallest = disagreement;
  await shrink(disagreement.program, async ({ seed, kept }) => {
    const verdict = await compare(seed, kept);
    const fails = verdict.difference !== undefined;
    if (fails) smallest = verdict;
    return fails;
  });
  return smallest;
}
