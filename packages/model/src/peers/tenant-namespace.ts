import { labels, tenantNamespaceName } from '@liqo/api';
import { keyString, type Namespace, type Stored } from '@liqo/kube';

type Labels = Readonly<Record<string, string>> | undefined;

/**
 * A tenant namespace as it is created: it holds everything about one peer. The pods of virtual kubelets are the only ones in
 * it, and they meet the strictest Pod Security level.
 */
export function forgeTenantNamespace(peer: string): Namespace {
  return {
    metadata: {
      name: tenantNamespaceName(peer),
      labels: {
        [labels.remoteClusterID]: peer,
        [labels.tenantNamespace]: 'true',
        'pod-security.kubernetes.io/enforce': 'restricted',
      },
    },
  };
}

/**
 * The name of the tenant namespace of a peer. Labels make a namespace one, as in Liqo; of several the oldest counts, so that
 * no later namespace takes over a peer.
 */
export function findTenantNamespace(
  peer: string,
  namespaces: readonly Stored<Namespace>[],
): string | undefined {
  const [oldest] = namespaces
    .filter(({ metadata }) => isTenantOf(metadata.labels, peer))
    .sort((one, other) => (age(one) < age(other) ? -1 : 1));
  return oldest?.metadata.name;
}

/** Why an object about a peer has no effect where it is; undefined if it is in the tenant namespace of that peer. */
export function whyNotInTenantNamespace(
  place: { readonly namespace: string; readonly peer: string },
  namespaces: readonly Stored<Namespace>[],
): string | undefined {
  const { namespace, peer } = place;
  const found = findTenantNamespace(peer, namespaces);
  if (found === namespace) return undefined;
  if (found !== undefined) return `the tenant namespace of "${peer}" is "${found}"`;
  const marks = `${labels.tenantNamespace}=true and ${labels.remoteClusterID}=${peer}`;
  return `the namespace "${namespace}" does not have the labels ${marks}`;
}

function isTenantOf(marks: Labels, peer: string): boolean {
  return marks?.[labels.tenantNamespace] === 'true' && marks[labels.remoteClusterID] === peer;
}

function age({ metadata }: Stored<Namespace>): string {
  return `${metadata.creationTimestamp} ${keyString(metadata)}`;
}
