import type { Cluster } from '../cluster/connect-cluster.ts';
import { readClusterID } from '../cluster/read-cluster-id.ts';
import type { Invocation } from '../command.ts';
import type { Where } from '../explain.ts';
import type { FlagTable, FlagValues } from '../flags/flag.ts';
import type { twoClusterFlags } from '../flags/peering-flags.ts';
import { UserError } from '../user-error.ts';
import type { Peering } from './peering.ts';
import { type PeeringCluster, preparePeering } from './prepare-peering.ts';

type Call = Omit<Invocation<FlagTable>, 'flags'>;

interface PeeringOptions {
  readonly flags: FlagValues<typeof twoClusterFlags> & { readonly timeout: number };
  /** What the clusters are needed for, after "Cannot": `peer the two clusters`. */
  readonly doing: string;
  /** What a person does next if it ends before its time. */
  readonly hint: string;
  /** Of the tenant namespaces, as those of Liqo's "peer" and "unpeer" are. */
  readonly ignoresNames?: boolean;
}

/** The clusters that the flags choose: the local one is the consumer, the remote one the provider. */
export async function openPeering(
  call: Call,
  { flags, doing, hint, ignoresNames = false }: PeeringOptions,
): Promise<Peering> {
  if (ignoresNames) warnOfNames(call);
  const { signal, suggest, suggestRemote, suggestBoth } = call;
  const [local, remote] = [await call.connect(), await call.connectRemote()];
  if (leadToSame(local, remote)) {
    throw sameCluster(doing, `both kubeconfigs lead to ${local.server}`);
  }
  const open = async (cluster: Cluster, where: Where): Promise<PeeringCluster> => {
    const isRemote = where === 'remote';
    const { client } = cluster;
    const liqoNamespace = isRemote ? flags['remote-liqo-namespace'] : flags['liqo-namespace'];
    const named = isRemote ? flags['remote-namespace'] : flags.namespace;
    const tenantNamespace = ignoresNames ? undefined : named;
    const clusterID = await readClusterID(client, { liqoNamespace, doing, where, signal });
    return { client, clusterID, liqoNamespace, tenantNamespace };
  };
  const consumer = await open(local, 'local');
  const provider = await open(remote, 'remote');
  if (consumer.clusterID === provider.clusterID) {
    throw sameCluster(doing, `both clusters have the ID "${consumer.clusterID}"`);
  }
  return preparePeering({
    consumer,
    provider,
    clock: call.around.clock,
    signal,
    timeoutMs: flags.timeout,
    report: call.progress,
    hint,
    suggest: { both: suggestBoth, consumer: suggest, provider: suggestRemote },
  });
}

function warnOfNames({ given, progress }: Call): void {
  const named = ['namespace', 'remote-namespace'].filter((name) => given.has(name));
  for (const name of named) {
    progress.warn(
      `"--${name}" has no effect here: tenant namespaces are found by their labels; to choose the name of a new one, run "liqoctl authenticate" first`,
    );
  }
}

/** The same address and path, unless the name asked for at that address differs. */
function leadToSame(one: Cluster, other: Cluster): boolean {
  const name = 'tls-server-name';
  return one.server === other.server && one.endpoint[name] === other.endpoint[name];
}

function sameCluster(doing: string, why: string): UserError {
  const hint =
    'Choose the other cluster with --remote-kubeconfig or --remote-context; two clusters of one ID cannot be peers: install Liqo in one of them with another ID';
  return new UserError(`Cannot ${doing}: ${why}`, { hint });
}
