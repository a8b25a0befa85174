import { annotations, type ForeignCluster, labels } from '@liqo/api';
import { formatTime } from '@liqo/kube';
import { apiServerCondition, hasControlPlaneCredentials } from './api-server-condition.ts';
import { authenticationConditions } from './authentication-conditions.ts';
import type {
  ForeignClusterFacts,
  ForeignClusterStatus,
  NewPeerCondition,
  PeerModules,
} from './foreign-cluster-facts.ts';
import { networkingConditions } from './networking-conditions.ts';
import { offloadingConditions } from './offloading-conditions.ts';
import { settleConditions } from './settle-conditions.ts';

export type ForeignClusterPlan =
  /** Create it if it does not exist, and write this status. */
  | { readonly type: 'keep'; readonly status: ForeignClusterStatus }
  /** Nothing about the peer is left: delete it once the API server confirms that. */
  | { readonly type: 'delete' }
  | { readonly type: 'ignore' };

/**
 * What becomes of the ForeignCluster of a peer. It exists while an object of this cluster is about the peer. One that a person
 * created stays: it lacks the label that this controller sets, or no object about its peer has ever been seen.
 */
export function planForeignCluster(facts: ForeignClusterFacts, nowMs: number): ForeignClusterPlan {
  const { foreignCluster, clusterID } = facts;
  if (foreignCluster && foreignCluster.spec.clusterID !== clusterID) return { type: 'ignore' };
  if (foreignCluster?.metadata.deletionTimestamp !== undefined) return { type: 'ignore' };
  if (isHeld(facts)) {
    return foreignCluster || isNamed(facts)
      ? { type: 'keep', status: statusOf(facts, nowMs) }
      : { type: 'ignore' };
  }
  if (!foreignCluster?.status?.observedGeneration) return { type: 'ignore' };
  if (foreignCluster.metadata.labels?.[labels.remoteClusterID] === clusterID) {
    return { type: 'delete' };
  }
  return { type: 'keep', status: statusOf(facts, nowMs) };
}

/** Labelled as genuine clients look it up. */
export function forgeForeignCluster(clusterID: string): ForeignCluster {
  const metadata = { name: clusterID, labels: { [labels.remoteClusterID]: clusterID } };
  return { metadata, spec: { clusterID } };
}

/** Whether an object exists because of which a ForeignCluster is created. */
function isNamed(facts: ForeignClusterFacts): boolean {
  return [
    facts.configurations,
    facts.connections,
    facts.gatewayServers,
    facts.gatewayClients,
    facts.tenants,
    facts.identities,
    facts.controlPlaneSecrets,
    facts.resourceSlices,
    facts.virtualNodes,
    facts.nodes,
  ].some((objects) => objects.length > 0);
}

/**
 * Whether an object exists because of which it is not deleted. Originals that wait for their copies are released by the
 * annotation that a peer is gone for good: it stays at least as long as they do.
 */
function isHeld(facts: ForeignClusterFacts): boolean {
  const marks = facts.foreignCluster?.metadata.annotations;
  const isGivenUp = marks?.[annotations.permanentlyUnreachable] === 'true';
  return (
    isNamed(facts) ||
    facts.namespaceMaps.length > 0 ||
    (isGivenUp && facts.tenantNamespaces.length > 0)
  );
}

function statusOf(facts: ForeignClusterFacts, nowMs: number): ForeignClusterStatus {
  const { foreignCluster } = facts;
  const before = foreignCluster?.status;
  const now = formatTime(nowMs);
  const moduleOf = (
    name: keyof PeerModules,
    wanted: readonly NewPeerCondition[] | undefined,
  ): PeerModules[typeof name] => {
    if (!wanted) return { enabled: false };
    const known = before?.modules?.[name].conditions;
    return { enabled: true, conditions: settleConditions(known, wanted, now) };
  };
  const apiServer = apiServerCondition(facts);
  return {
    observedGeneration: foreignCluster?.metadata.generation ?? 1,
    role: roleOf(facts),
    modules: {
      networking: moduleOf('networking', networkingConditions(facts)),
      authentication: moduleOf('authentication', authenticationConditions(facts, nowMs)),
      offloading: moduleOf('offloading', offloadingConditions(facts)),
    },
    ...addressesOf(facts),
    ...tenantNamespacesOf(facts),
    ...(apiServer && { conditions: settleConditions(before?.conditions, [apiServer], now) }),
  };
}

/** What the peer is to this cluster. */
function roleOf(facts: ForeignClusterFacts): ForeignClusterStatus['role'] {
  const { tenants, identities, controlPlaneSecrets, virtualNodes } = facts;
  const isConsumer = tenants.length > 0;
  const isProvider = identities.length + controlPlaneSecrets.length + virtualNodes.length > 0;
  if (isConsumer && isProvider) return 'ConsumerAndProvider';
  if (isConsumer) return 'Consumer';
  return isProvider ? 'Provider' : 'Unknown';
}

/** Before the connection of a Secret that was written by hand is made, the addresses stay as they were recorded. */
function addressesOf(facts: ForeignClusterFacts) {
  const { identities, endpoint, foreignCluster } = facts;
  const params = controlPlaneIdentity(identities)?.spec.authParams;
  const isConnecting = !params && !endpoint && hasControlPlaneCredentials(facts);
  const known = isConnecting ? foreignCluster?.status : undefined;
  const apiServerUrl = known?.apiServerUrl ?? shownUrl(params?.apiServer ?? endpoint?.server);
  const foreignProxyUrl =
    known?.foreignProxyUrl ?? shownUrl(params ? params.proxyURL : endpoint?.proxyUrl);
  return { ...(apiServerUrl && { apiServerUrl }), ...(foreignProxyUrl && { foreignProxyUrl }) };
}

const longestUrl = 2048;

/** Without user and password, which a proxy may need: more people may read a ForeignCluster than an Identity. */
function shownUrl(url: string | undefined): string | undefined {
  if (!url || url.length > longestUrl) return undefined;
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}

function tenantNamespacesOf(facts: ForeignClusterFacts) {
  const { tenantNamespaces, identities, controlPlaneSecrets } = facts;
  const [local] = tenantNamespaces.map(({ metadata }) => metadata?.name ?? '').sort();
  const remote =
    controlPlaneIdentity(identities)?.spec.namespace ??
    controlPlaneSecrets.map(
      ({ metadata }) => metadata?.annotations?.[annotations.remoteTenantNamespace],
    )[0];
  const tenantNamespace = { ...(local && { local }), ...(remote && { remote }) };
  return Object.keys(tenantNamespace).length > 0 ? { tenantNamespace } : {};
}

function controlPlaneIdentity(identities: ForeignClusterFacts['identities']) {
  return identities.find(({ spec }) => spec.type === 'ControlPlane');
}
