import type { Client, Clock } from '@liqo/kube';
import { type Wait, waitStep } from '../cluster/wait-step.ts';
import { explainAt, type Where } from '../explain.ts';
import type { Step, StepReport } from '../output/progress.ts';
import type { Trace, Traces } from './traces.ts';

/** What every step needs beside a cluster. */
export interface StepContext {
  readonly progress: StepReport;
  readonly traces: Traces;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** On the monotonic clock: no step waits any longer. */
  readonly endsMs: number;
}

/** One of the two clusters of a peering. */
export interface PeeringSide {
  readonly client: Client;
  readonly clusterID: string;
  /** Where Liqo is installed. */
  readonly liqoNamespace: string;
  /** The tag of its steps; a command that talks to one cluster has none. */
  readonly where?: Where;
  /** The name for the tenant namespace if it does not exist yet, in place of the usual one. */
  readonly tenantNamespace?: string | undefined;
}

/** Work that is too short for a step of its own. */
export async function attemptAt<T>(
  { where = 'local' }: Pick<PeeringSide, 'where'>,
  verb: string,
  work: Promise<T>,
  access: 'read' | 'write' = 'read',
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw explainAt(where, verb, error, access);
  }
}

/** One request, or a few that belong together, as a step. */
export interface WorkStep<T> extends Step<T> {
  /** What cannot be done if it fails: `create the Tenant "rome"`. */
  readonly verb: string;
  readonly access?: 'read' | 'write';
  readonly trace?: Trace;
}

export function workStep<T>(
  { progress, traces }: StepContext,
  side: Pick<PeeringSide, 'where'>,
  { verb, access = 'write', trace, ...step }: WorkStep<T>,
  work: () => Promise<T>,
): Promise<T> {
  const { where } = side;
  return progress.step({ ...step, ...(where && { where }) }, () =>
    attemptAt(side, verb, trace ? traces.follow(trace, work) : work(), access),
  );
}

/** A step that waits for the controllers of the cluster, for as long as the command may take. */
export function waitForControllers<T>(
  { progress, traces, clock, signal, endsMs }: StepContext,
  { client, where }: Pick<PeeringSide, 'client' | 'where'>,
  wait: Omit<Wait<T>, 'timeoutMs' | 'where'>,
): Promise<T> {
  const timeoutMs = Math.max(0, endsMs - clock.monotonicMs());
  const context = { progress, around: { clock }, signal };
  const hint = `${wait.hint}. ${traces.hint}`;
  return waitStep(context, client, { ...wait, hint, timeoutMs, ...(where && { where }) });
}
