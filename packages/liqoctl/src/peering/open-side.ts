import { readClusterID } from '../cluster/read-cluster-id.ts';
import type { Invocation } from '../command.ts';
import type { FlagTable } from '../flags/flag.ts';
import { UserError } from '../user-error.ts';
import type { PeeringSide, StepContext } from './peering-side.ts';
import { Traces } from './traces.ts';

/** What commands about one cluster of a peering are told with their flags. */
interface SideFlags {
  readonly 'liqo-namespace': string;
  readonly namespace?: string | undefined;
}

type Call = Pick<Invocation<FlagTable>, 'connect' | 'progress' | 'around' | 'signal'>;

/** The cluster that the flags choose, in its part of a peering. */
export async function openSide(
  { connect, signal }: Pick<Call, 'connect' | 'signal'>,
  flags: SideFlags,
  { doing, peer }: { readonly doing: string; readonly peer: string },
): Promise<PeeringSide> {
  const { client } = await connect();
  const liqoNamespace = flags['liqo-namespace'];
  const clusterID = await readClusterID(client, { liqoNamespace, doing, signal });
  if (clusterID === peer) {
    const hint =
      'Name another cluster with --remote-cluster-id, or choose the other one with --context';
    throw new UserError(`Cannot ${doing}: this is the cluster "${peer}" itself`, { hint });
  }
  return { client, clusterID, liqoNamespace, tenantNamespace: flags.namespace };
}

export function stepContext(
  { progress, around, signal }: Call,
  { timeoutMs, hint }: { readonly timeoutMs: number; readonly hint: string },
): StepContext {
  const { clock } = around;
  const traces = new Traces(progress, hint);
  return { progress, traces, clock, signal, endsMs: clock.monotonicMs() + timeoutMs };
}
