import type { ForeignCluster, VirtualNode } from '@liqo/api';
import { isConditionTrue, type Node } from '@liqo/kube';
import { whyNotReady } from '../cluster/why-not-ready.ts';

export type ModuleStatus = 'Healthy' | 'Unhealthy' | 'Disabled';

/** What goes on with a peer in one respect, and what is wrong with it. */
export interface ModuleInfo {
  readonly status: ModuleStatus;
  readonly alerts?: readonly string[];
}

type Modules = NonNullable<NonNullable<ForeignCluster['status']>['modules']>;

/** What the ForeignCluster says of a module. */
export function judgeModule(module: Modules[keyof Modules] | undefined): ModuleInfo {
  if (!module?.enabled) return { status: 'Disabled' };
  const failing = (module.conditions ?? []).filter(
    ({ status }) => status !== 'Established' && status !== 'Ready',
  );
  if (failing.length === 0) return { status: 'Healthy' };
  const alerts = failing.map(({ type, status, message }) => message || `${type} is ${status}`);
  return { status: 'Unhealthy', alerts };
}

/** What the virtual nodes of a provider say, where no ForeignCluster speaks for them. */
export function judgeVirtualNodes(
  virtualNodes: readonly VirtualNode[],
  nodes: readonly Node[],
): ModuleInfo {
  const failing = virtualNodes.filter(
    (virtualNode) => virtualNode.spec.createNode !== false && !isReady(virtualNode, nodes),
  );
  if (failing.length === 0) return { status: 'Healthy' };
  const alerts = failing.map((one) => `${one.metadata?.name}: ${whyNotReady(one)}`);
  return { status: 'Unhealthy', alerts };
}

export function isReady({ metadata }: VirtualNode, nodes: readonly Node[]): boolean {
  const node = nodes.find((one) => one.metadata?.name === metadata?.name);
  return isConditionTrue(node?.status?.conditions, 'Ready');
}
