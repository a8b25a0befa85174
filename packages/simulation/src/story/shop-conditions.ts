import { NamespaceOffloading, VirtualNode } from '@liqo/api';
import { type Client, Deployment, findCondition, Namespace, Node, Pod } from '@liqo/kube';
import { app, namespace, node, offloading, tenantNamespace } from './shop.ts';

export async function isNodeReady(rome: Client): Promise<boolean> {
  const found = await rome.get(Node, { name: node });
  return findCondition(found?.status?.conditions, 'Ready')?.status === 'True';
}

export async function isOffloaded(rome: Client): Promise<boolean> {
  const found = await rome.get(NamespaceOffloading, offloading);
  return found?.status?.offloadingPhase === 'Ready';
}

/** So many pods, all of the newest template, all ready. */
export async function isOpen(rome: Client, replicas: number): Promise<boolean> {
  const { metadata, status } = (await rome.get(Deployment, app)) ?? {};
  const counts = [status?.replicas, status?.updatedReplicas, status?.readyReplicas];
  const isSeen = status?.observedGeneration === metadata?.generation;
  return isSeen && counts.every((count) => count === replicas);
}

export async function isDrained(rome: Client): Promise<boolean> {
  const { items } = await rome.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
  return items.length === 0;
}

export async function isVirtualNodeGone(rome: Client): Promise<boolean> {
  return (await rome.get(VirtualNode, { namespace: tenantNamespace, name: node })) === undefined;
}

export async function isOffloadingGone(rome: Client): Promise<boolean> {
  return (await rome.get(NamespaceOffloading, offloading)) === undefined;
}

export async function isNamespaceGone(rome: Client): Promise<boolean> {
  return (await rome.get(Namespace, { name: namespace })) === undefined;
}
