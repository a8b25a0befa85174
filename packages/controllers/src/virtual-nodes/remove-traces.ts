import {
  labels,
  NamespaceMap,
  VirtualNode,
  virtualKubeletBindingName,
  virtualKubeletTokensBindingName,
} from '@liqo/api';
import {
  ClusterRoleBinding,
  type Kind,
  type KubeObject,
  Lease,
  Node,
  type ObjectKey,
  Role,
  RoleBinding,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import { nodeLeaseNamespace, planMapRemoval } from '@liqo/model';
import { done, type Outcome, requeueAfter } from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

type TracedWorld = Pick<VirtualNodeWorld, 'client'>;

/** What a virtual kubelet needed to its last moment, and what was agreed with its provider. */
export async function removeTraces(
  world: TracedWorld,
  virtualNode: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { client } = world;
  const { name, namespace } = virtualNode.metadata;
  const key = { namespace, name };
  const isMade = ({ metadata }: Stored<KubeObject>) =>
    metadata.labels?.[labels.virtualNode] === name;
  const remove = <T extends KubeObject>(
    kind: Kind<T>,
    which: ObjectKey,
    isOurs: (found: Stored<T>) => boolean,
  ) => removeOurs(world, { kind, which, isOurs }, signal);
  for (const nameOf of [virtualKubeletTokensBindingName, virtualKubeletBindingName]) {
    const binding = { name: nameOf(name) };
    await remove(ClusterRoleBinding, binding, (found) => isMade(found) && binds(found, key));
  }
  const atLeases = { namespace: nodeLeaseNamespace, name: virtualKubeletBindingName(name) };
  await remove(RoleBinding, atLeases, (found) => isMade(found) && binds(found, key));
  if ((await client.get(RoleBinding, atLeases, signal)) === undefined) {
    await remove(Role, atLeases, isMade);
  }
  await remove(RoleBinding, key, isMade);
  await remove(Role, key, isMade);
  await remove(ServiceAccount, key, isMade);
  await remove(Lease, key, () => true);
  if ((await client.get(Node, { name }, signal)) === undefined) {
    await remove(Lease, { namespace: nodeLeaseNamespace, name }, () => true);
  }
  return removeNamespaceMap(world, virtualNode, signal);
}

interface Trace<T extends KubeObject> {
  readonly kind: Kind<T>;
  readonly which: ObjectKey;
  readonly isOurs: (found: Stored<T>) => boolean;
}

async function removeOurs<T extends KubeObject>(
  { client }: TracedWorld,
  { kind, which, isOurs }: Trace<T>,
  signal: AbortSignal,
): Promise<void> {
  const found = await client.get(kind, which, signal);
  if (found && isOurs(found)) await removeIfThere(client, kind, found, { signal });
}

function binds(
  { subjects = [] }: Pick<ClusterRoleBinding, 'subjects'>,
  account: ObjectKey,
): boolean {
  return subjects.some(({ namespace }) => namespace === account.namespace);
}

/** With the last virtual node of a provider goes what was agreed about namespaces. */
async function removeNamespaceMap(
  { client }: TracedWorld,
  virtualNode: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { namespace } = virtualNode.metadata;
  const name = virtualNode.spec.clusterID;
  if (!name) return done;
  const { items } = await client.list(VirtualNode, { namespace, signal });
  const plan = planMapRemoval(virtualNode, items);
  if (plan === 'keep') return done;
  if (plan === 'wait') {
    return requeueAfter(1_000, 'waiting for the other virtual nodes of the provider to be gone');
  }
  const map = await client.get(NamespaceMap, { namespace, name }, signal);
  if (map && map.metadata.deletionTimestamp === undefined) {
    await removeIfThere(client, NamespaceMap, map, { signal });
  }
  return done;
}
