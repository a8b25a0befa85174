import { allKinds, annotations, finalizers, labels, labelValues } from '@liqo/api';
import {
  type Client,
  ClusterRoleBinding,
  Deployment,
  isNotFound,
  type Kind,
  type KubeObject,
  keyOf,
  Lease,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import { eachOf } from './each-of.ts';
import { listIfServed } from './read-losses.ts';
import { deleteIfThere } from './take-down.ts';

const ours: ReadonlySet<string> = new Set(Object.values(finalizers));

/** Kinds of Kubernetes with objects of Liqo in them, and what selects those. */
const others: readonly (readonly [Kind<KubeObject>, string])[] = [
  [Deployment, `${labels.component}=${labelValues.virtualKubelet}`],
  [Node, `${labels.type}=${labelValues.virtualNode}`],
  [ServiceAccount, labels.virtualNode],
  // Of virtual kubelets, and of the consumers of this cluster.
  [ClusterRoleBinding, `${labels.managed}=true,${labels.remoteClusterID}`],
  [RoleBinding, labels.virtualNode],
  [Role, labels.virtualNode],
  [Lease, labels.virtualNode],
  [Pod, `${labels.managedBy}=${labelValues.managedByShadowPod}`],
];

/**
 * Removes what the controllers have left, or would have to take down: nothing may act on these objects any more. Finalizers of
 * other products stay, and are waited for by the API server.
 */
export async function removeByForce(client: Client, signal: AbortSignal): Promise<number> {
  let removed = 0;
  const remove = async (kind: Kind<KubeObject>, objects: readonly Stored<KubeObject>[]) => {
    await eachOf(objects, async (object) => {
      await release(client, kind, object, signal);
      if (!isMarked(object)) await deleteIfThere(client, kind, object, signal);
      removed += 1;
    });
  };
  for (const kind of allKinds as readonly Kind<KubeObject>[]) {
    await remove(kind, await listIfServed(client, kind, signal));
  }
  for (const [kind, labelSelector] of others) {
    await remove(kind, (await client.list(kind, { labelSelector, signal })).items);
  }
  return removed + (await removeConsumerNamespaces(client, signal));
}

const isMarked = ({ metadata }: Stored<KubeObject>) => metadata.deletionTimestamp !== undefined;

/** Those that were made for consumers, with everything in them. */
async function removeConsumerNamespaces(client: Client, signal: AbortSignal): Promise<number> {
  const labelSelector = labels.remoteClusterID;
  const { items } = await client.list(Namespace, { labelSelector, signal });
  const made = items.filter(
    ({ metadata }) => metadata.annotations?.[annotations.managedByNamespaceMap] !== undefined,
  );
  await eachOf(made, (object) => deleteIfThere(client, Namespace, object, signal));
  return made.length;
}

/** Releases what tenant namespaces hold back, so that they can be deleted. */
export async function releaseNamespace(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<void> {
  for (const kind of [Secret, RoleBinding] as readonly Kind<KubeObject>[]) {
    const { items } = await client.list(kind, { namespace, signal });
    await eachOf(items, (object) => release(client, kind, object, signal));
  }
}

async function release(
  client: Client,
  kind: Kind<KubeObject>,
  object: Stored<KubeObject>,
  signal: AbortSignal,
): Promise<void> {
  const { uid, resourceVersion, finalizers: present = [] } = object.metadata;
  const kept = present.filter((finalizer) => !ours.has(finalizer));
  if (kept.length === present.length) return;
  const patch = mergePatch({ metadata: { uid, resourceVersion, finalizers: kept } });
  try {
    await client.patch(kind, keyOf(object), patch, signal);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
