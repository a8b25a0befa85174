import type { NamespaceMap, VirtualNode } from '@liqo/api';
import { findCondition, isConditionTrue, type Node } from '@liqo/kube';
import { whyNotReady } from '../cluster/why-not-ready.ts';
import { enabledModule, judgeModule, type ModuleInfo } from './judge-module.ts';
import type { FactsOfPeer } from './peer-facts.ts';

/**
 * The state of a peering. What a ForeignCluster reports of a module that is in use counts; without it the objects that
 * exist do, so that a peering made by hand is shown as it is.
 */
export interface PeerState {
  readonly role: string;
  readonly network: ModuleInfo;
  readonly authentication: ModuleInfo;
  readonly offloading: ModuleInfo;
}

export function judgePeer(facts: FactsOfPeer): PeerState {
  const modules = facts.foreignCluster?.status?.modules;
  return {
    role: roleOf(facts),
    network: judgeModule(modules?.networking),
    authentication: modules?.authentication.enabled
      ? judgeModule(modules.authentication)
      : judgeAuthentication(facts),
    offloading: modules?.offloading.enabled
      ? explained(judgeModule(modules.offloading), judgeOffloading(facts))
      : judgeOffloading(facts),
  };
}

/** A ForeignCluster counts what is not ready; the objects themselves say why. */
function explained(reported: ModuleInfo, seen: ModuleInfo): ModuleInfo {
  if (reported.status !== 'Unhealthy' || !seen.alerts) return reported;
  return { ...reported, alerts: seen.alerts };
}

/** What the peer is to this cluster. */
function roleOf(facts: FactsOfPeer): string {
  const reported = facts.foreignCluster?.status?.role ?? 'Unknown';
  if (reported !== 'Unknown') return reported;
  const [lends, borrows] = [isProvider(facts), isConsumer(facts)];
  if (lends && borrows) return 'ConsumerAndProvider';
  if (lends) return 'Provider';
  return borrows ? 'Consumer' : 'Unknown';
}

function isProvider({ virtualNodes, hasIdentity }: FactsOfPeer): boolean {
  return virtualNodes.length > 0 || hasIdentity;
}

/** A copy of a NamespaceMap and a ShadowPod can only be written with an identity that this cluster accepts. */
function isConsumer({ namespaceMaps, hasShadowPods }: FactsOfPeer): boolean {
  return namespaceMaps.length > 0 || hasShadowPods;
}

/** Reasons of the condition of a VirtualNode when its credentials are missing, unusable or refused. */
const credentialReasons: readonly (string | undefined)[] = [
  'NoKubeconfig',
  'InvalidKubeconfig',
  'WrongCluster',
  'RemoteUnauthorized',
  'RemoteForbidden',
];

function judgeAuthentication(facts: FactsOfPeer): ModuleInfo {
  if (!isProvider(facts) && !isConsumer(facts)) return { status: 'Disabled' };
  const alerts = facts.virtualNodes.flatMap(({ metadata, status }) => {
    const failing = status?.conditions?.find(({ reason }) => credentialReasons.includes(reason));
    return failing ? [`${metadata?.name}: ${failing.message || failing.reason}`] : [];
  });
  return enabledModule(alerts);
}

function judgeOffloading(facts: FactsOfPeer): ModuleInfo {
  const { virtualNodes, namespaceMaps, nodes, hasShadowPods } = facts;
  const mapped = namespaceMaps.flatMap(({ status }) =>
    Object.entries(status?.currentMapping ?? {}),
  );
  if (virtualNodes.length === 0 && mapped.length === 0 && !hasShadowPods) {
    return { status: 'Disabled' };
  }
  return enabledModule([
    ...virtualNodes.flatMap((virtualNode) => {
      const problem = whyUnhealthy(virtualNode, nodes);
      return problem === undefined ? [] : [`${virtualNode.metadata?.name}: ${problem}`];
    }),
    ...mapped.flatMap(([namespace, mapping]) => refusedNamespace(namespace, mapping)),
  ]);
}

type Mapping = NonNullable<NonNullable<NamespaceMap['status']>['currentMapping']>[string];

function refusedNamespace(namespace: string, { phase, reason, message }: Mapping): string[] {
  if (phase !== 'CreationLoopBackOff') return [];
  return [`namespace "${namespace}": ${message ?? reason ?? 'it cannot be created'}`];
}

/** Undefined if its Node is Ready, or it has none and its virtual kubelet runs. */
export function whyUnhealthy(virtualNode: VirtualNode, nodes: readonly Node[]): string | undefined {
  const { metadata, spec, status } = virtualNode;
  const node = nodes.find((one) => one.metadata?.name === metadata?.name);
  const isHealthy =
    spec.createNode === false
      ? findCondition(status?.conditions, 'VirtualKubelet')?.status === 'Running'
      : isConditionTrue(node?.status?.conditions, 'Ready');
  return isHealthy ? undefined : whyNotReady(virtualNode);
}
