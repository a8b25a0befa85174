import type { ForeignCluster, ResourceSlice } from '@liqo/api';
import { fixedNames } from '@liqo/api';
import { findCondition, type Stored } from '@liqo/kube';
import { type Break, broken, type Link, type Route } from './chain.ts';
import { offerLink } from './judge-offer.ts';

/** The links behind the Node of a virtual node. */
export function judgeRoute(route: Route): readonly Link[] {
  const { virtualNode, slice, offer, identity, foreignCluster } = route;
  const { name, namespace } = virtualNode.metadata;
  const provider = virtualNode.spec.clusterID ?? '';
  const object = identity ? `Identity "${identity.metadata.name}"` : `Secret "${secretOf(route)}"`;
  return [
    {
      link: 'virtual node',
      object: `VirtualNode "${name}" in "${namespace}"`,
      problem: judgeVirtualNode(route),
    },
    ...(slice ? [sliceLink(slice)] : []),
    ...(offer ? [offerLink(offer)] : []),
    { link: 'identity', object, problem: judgeIdentity(route) },
    ...(foreignCluster ? [peerLink(foreignCluster)] : []),
    {
      link: 'API server',
      object: foreignCluster?.status?.apiServerUrl ?? `the API server of "${provider}"`,
      problem: judgeApiServer(foreignCluster) ?? judgeProvider(route),
    },
  ];
}

/** Reasons of the condition of a VirtualNode when its credentials are missing, unusable or denied. */
const credentialReasons: readonly (string | undefined)[] = [
  'NoKubeconfig',
  'InvalidKubeconfig',
  'WrongCluster',
  'RemoteUnauthorized',
  'RemoteForbidden',
];

function judgeVirtualNode({ virtualNode }: Route): Break | undefined {
  const { name, namespace, deletionTimestamp } = virtualNode.metadata;
  const conditions = virtualNode.status?.conditions;
  const describe = `kubectl describe virtualnode ${name} -n ${namespace}`;
  if (deletionTimestamp !== undefined) {
    const why = findCondition(conditions, 'Node')?.message;
    const evidence = `it is being deleted${why ? `: ${why}` : ''}`;
    return broken('VirtualNodeTerminating', evidence, describe);
  }
  const kubelet = findCondition(conditions, 'VirtualKubelet');
  if (!kubelet) {
    const evidence = 'the controllers have not processed it yet';
    return broken('NotObserved', evidence, describe, { isPending: true });
  }
  if (kubelet.status === 'Running') return undefined;
  const { reason = 'VirtualKubeletNotRunning', message = 'its virtual kubelet does not run' } =
    kubelet;
  const pods = `kubectl describe pods -n ${namespace} -l liqo.io/virtual-node=${name}`;
  const isOfCredentials = credentialReasons.includes(reason);
  const command = reason === 'NotAvailable' ? pods : describe;
  const mayFollow = reason === 'NotAvailable' || isOfCredentials;
  return broken(reason, message, command, { mayFollow });
}

export function sliceLink(slice: Stored<ResourceSlice>): Link {
  const { name, namespace } = slice.metadata;
  return {
    link: 'slice',
    object: `ResourceSlice "${name}" in "${namespace}"`,
    problem: judgeSlice(slice),
  };
}

function judgeSlice(slice: Stored<ResourceSlice>): Break | undefined {
  const { spec, status } = slice;
  const { name, namespace, deletionTimestamp } = slice.metadata;
  const provider = spec?.providerClusterID ?? 'the provider';
  const describe = `kubectl describe resourceslices.authentication.liqo.io ${name} -n ${namespace}`;
  if (deletionTimestamp !== undefined) {
    return broken('SliceTerminating', 'it is being deleted', describe);
  }
  const authentication = findCondition(status?.conditions, 'Authentication');
  if (!authentication) {
    const evidence = `the provider "${provider}" has not answered it yet`;
    const options = { at: 'provider', mayFollow: true, isPending: true } as const;
    return broken('SliceNotAnswered', evidence, 'liqoctl doctor', options);
  }
  if (authentication.status !== 'Accepted') {
    const { reason = 'SliceDenied', message = 'the provider denies its identity' } = authentication;
    return /\bdrained\b/.test(message)
      ? broken(reason, message, reopenCommand(slice, message), { at: 'provider' })
      : broken(reason, message, describe);
  }
  const resources = findCondition(status?.conditions, 'Resources');
  if (!resources) return undecided(slice, provider);
  if (resources.status === 'Accepted') return undefined;
  const { reason = 'SliceDenied', message = 'the provider denies its resources' } = resources;
  return broken(reason, message, reopenCommand(slice, message), { at: 'provider' });
}

/** Ends what the provider has against the consumer, or else a cordon of this slice alone. */
function reopenCommand({ metadata, spec }: Stored<ResourceSlice>, message: string): string {
  const consumer = spec?.consumerClusterID ?? 'CONSUMER';
  if (/\bdrained\b/.test(message)) return `liqoctl activate tenant ${consumer}`;
  if (/\bcordoned this consumer\b/.test(message)) return `liqoctl uncordon tenant ${consumer}`;
  return `liqoctl uncordon resourceslice ${metadata.name} --remote-cluster-id ${consumer}`;
}

function undecided({ metadata, spec }: Stored<ResourceSlice>, provider: string): Break {
  const sliceClass = spec?.class || fixedNames.defaultResourceSliceClass;
  const evidence = `no controller of "${provider}" has decided about its resources; its class is "${sliceClass}"`;
  const command =
    sliceClass === fixedNames.defaultResourceSliceClass
      ? 'kubectl get pods -n liqo'
      : `kubectl get resourceslices.authentication.liqo.io ${metadata.name} -A -o yaml`;
  return broken('SliceUndecided', evidence, command, { at: 'provider', mayFollow: true });
}

function judgeIdentity(route: Route): Break | undefined {
  const { virtualNode, identity, hasKubeconfig, certificateExpired } = route;
  const { namespace } = virtualNode.metadata;
  const secret = secretOf(route);
  const write = hasKubeconfig
    ? `kubectl patch secret ${secret} -n ${namespace} -p "{\\"data\\":{\\"kubeconfig\\":\\"$(base64 -w0 FILE)\\"}}"`
    : `kubectl create secret generic ${secret} -n ${namespace} --from-file=kubeconfig=FILE`;
  const renew = identity ? 'liqoctl authenticate --remote-kubeconfig FILE' : write;
  const ready = findCondition(identity?.status?.conditions, 'Ready');
  if (ready?.status === 'False') {
    return broken(ready.reason ?? 'IdentityNotReady', ready.message ?? 'it is not ready', renew);
  }
  if (certificateExpired !== undefined) {
    const evidence = `its certificate expired at ${certificateExpired}`;
    return broken('CertificateExpired', evidence, renew);
  }
  if (hasKubeconfig === false) {
    const evidence = `the Secret "${secret}" in "${namespace}" has no key "kubeconfig"`;
    return broken('NoKubeconfig', evidence, renew);
  }
  const seen = providerCondition(route) ?? kubeletCondition(route);
  if (!seen?.reason || !credentialReasons.includes(seen.reason)) return undefined;
  return broken(seen.reason, seen.message ?? 'the provider denies them', renew);
}

/** What the virtual kubelet reports of the provider, for as long as it runs. */
function providerCondition(route: Route) {
  const isRunning = kubeletCondition(route)?.status === 'Running';
  return isRunning ? findCondition(route.virtualNode.status?.conditions, 'Provider') : undefined;
}

function kubeletCondition({ virtualNode }: Route) {
  return findCondition(virtualNode.status?.conditions, 'VirtualKubelet');
}

function secretOf({ virtualNode }: Route): string {
  return virtualNode.spec.kubeconfigSecretRef?.name ?? '';
}

export function peerLink(foreignCluster: Stored<ForeignCluster>): Link {
  const { name } = foreignCluster.metadata;
  return { link: 'peer', object: `ForeignCluster "${name}"`, problem: judgePeer(foreignCluster) };
}

function judgePeer({ metadata, status }: Stored<ForeignCluster>): Break | undefined {
  const { enabled, conditions } = status?.modules?.authentication ?? {};
  const failing = conditions?.find((one) => one.status === 'Error' || one.status === 'NotReady');
  if (!enabled || !failing) return undefined;
  const { reason = 'PeerNotAuthenticated', message = 'its authentication is not ready' } = failing;
  const command = `kubectl describe foreigncluster ${metadata.name}`;
  return broken(reason, message, command, { mayFollow: true });
}

export function apiServerLink(foreignCluster: Stored<ForeignCluster>): Link {
  const { metadata, status } = foreignCluster;
  const object = status?.apiServerUrl ?? `the API server of "${metadata.name}"`;
  return { link: 'API server', object, problem: judgeApiServer(foreignCluster) };
}

function judgeApiServer(foreignCluster: Stored<ForeignCluster> | undefined): Break | undefined {
  const condition = findCondition(foreignCluster?.status?.conditions, 'APIServerStatus');
  if (condition?.status !== 'Error') return undefined;
  const { reason = 'APIServerNotReady', message = 'it does not answer' } = condition;
  return broken(reason, message, reachCommand(foreignCluster?.status?.apiServerUrl));
}

function judgeProvider(route: Route): Break | undefined {
  const seen = providerCondition(route);
  if (seen?.status !== 'Unreachable' || credentialReasons.includes(seen.reason)) return undefined;
  const { reason = 'ProviderUnreachable', message = 'it does not answer' } = seen;
  return broken(reason, message, reachCommand(route.foreignCluster?.status?.apiServerUrl));
}

function reachCommand(url: string | undefined): string {
  return url === undefined ? 'kubectl get --raw /readyz' : `kubectl get --raw /readyz -s ${url}`;
}
