import { fixedNames, labels, type VirtualNode } from '@liqo/api';
import {
  type Client,
  checkLabelValue,
  isForbidden,
  keyString,
  Node,
  type ObjectKey,
  Secret,
  type Stored,
} from '@liqo/kube';
import { findNamesake, isNodeOf } from '@liqo/model';
import type { VirtualNodeWorld } from './virtual-node-world.ts';

/** Why a virtual node cannot be, and what to do about it. */
export interface Obstacle {
  /** One word. */
  readonly reason: string;
  readonly message: string;
  /** Whether it is a decision against what the VirtualNode says: an Event reports it. */
  readonly isRefusal?: true;
}

/** What keeps a VirtualNode from having a virtual kubelet; nothing if it can have one. */
export async function findObstacle(
  world: VirtualNodeWorld,
  virtualNode: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  return (
    unusableName(virtualNode) ??
    noClusterID(virtualNode) ??
    outsideOfTenantNamespace(world, virtualNode) ??
    nameOfAnother(world, virtualNode) ??
    (await nameTaken(world, virtualNode, signal)) ??
    (await findKubeconfigObstacle(world, virtualNode, signal))
  );
}

/** The name is a label on everything that is made for it, on the Node above all. */
function unusableName({ metadata }: Stored<VirtualNode>): Obstacle | undefined {
  const faults = checkLabelValue(metadata.name);
  if (faults.length === 0) return undefined;
  const message = `"${metadata.name}" cannot be the name of a virtual node (${faults.join(', ')}): ${rename}`;
  return { reason: 'InvalidName', message };
}

function noClusterID({ spec }: Stored<VirtualNode>): Obstacle | undefined {
  if (spec.clusterID) return undefined;
  const message = 'spec.clusterID is empty: say which provider the virtual node stands for';
  return { reason: 'NoClusterID', message };
}

/** Elsewhere, a right on VirtualNodes would become the rights of a virtual kubelet. */
function outsideOfTenantNamespace(
  { whyMisplaced }: VirtualNodeWorld,
  { metadata, spec }: Stored<VirtualNode>,
): Obstacle | undefined {
  const why = whyMisplaced(metadata.namespace ?? '', spec.clusterID ?? '');
  if (why === undefined) return undefined;
  const message = `A virtual node must be in the tenant namespace of its provider, and ${why}`;
  return { reason: 'NotInTenantNamespace', message, isRefusal: true };
}

function nameOfAnother(
  world: VirtualNodeWorld,
  virtualNode: Stored<VirtualNode>,
): Obstacle | undefined {
  const namesake = findNamesake(virtualNode, world.virtualNodes.list(), isInTenantNamespace(world));
  if (!namesake) return undefined;
  const message = `The VirtualNode "${keyString(namesake.metadata)}" has that name already: ${rename}`;
  return { reason: 'NameTaken', message };
}

/** A Node of that name that is not the one of this VirtualNode. */
async function nameTaken(
  { client, nodes }: VirtualNodeWorld,
  { metadata, spec }: Stored<VirtualNode>,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  const { name } = metadata;
  const node = nodes.get({ name }) ?? (await client.get(Node, { name }, signal));
  if (!node || isNodeOf(node, spec.clusterID)) return undefined;
  const message = `There is a Node "${name}" already, which is not this virtual node: ${rename}`;
  return { reason: 'NameTaken', message };
}

/** Whether a VirtualNode is in the tenant namespace of its provider. */
export function isInTenantNamespace({ whyMisplaced }: Pick<VirtualNodeWorld, 'whyMisplaced'>) {
  return ({ metadata, spec }: Stored<VirtualNode>) =>
    whyMisplaced(metadata.namespace ?? '', spec.clusterID ?? '') === undefined;
}

/** A VirtualNode, or what becomes one. */
interface KubeconfigUser {
  readonly metadata: { readonly namespace?: string | undefined };
  readonly spec: Pick<VirtualNode['spec'], 'clusterID' | 'kubeconfigSecretRef'>;
}

const rename = 'delete this VirtualNode and make one of another name';

/** What keeps the Secret that a virtual node names, or is going to name, from being of use. */
export async function findKubeconfigObstacle(
  { client, connectPeer, secrets }: Pick<VirtualNodeWorld, 'client' | 'connectPeer' | 'secrets'>,
  { metadata, spec }: KubeconfigUser,
  signal: AbortSignal,
): Promise<Obstacle | undefined> {
  const name = spec.kubeconfigSecretRef?.name;
  if (!name) {
    const message =
      'spec.kubeconfigSecretRef is empty: name a Secret of this namespace with the key "kubeconfig"';
    return { reason: 'NoKubeconfig', message };
  }
  const { namespace = '' } = metadata;
  if (!secrets.isWatched(namespace)) return noAccess(namespace);
  const secret = await readIfAllowed(client, { namespace, name }, signal);
  if (secret === 'forbidden') return noAccess(namespace);
  const encoded = secret?.data?.kubeconfig;
  if (!encoded) {
    const what = secret ? 'the key "kubeconfig" in the Secret' : 'the Secret';
    return { reason: 'NoKubeconfig', message: `Waiting for ${what} "${name}" of this namespace` };
  }
  try {
    const peer = await connectPeer(Buffer.from(encoded, 'base64').toString());
    await peer[Symbol.asyncDispose]();
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `The kubeconfig in the Secret "${name}" cannot be used: ${why}; replace it with one of "${spec.clusterID}"`;
    return { reason: 'InvalidKubeconfig', message };
  }
}

/** An API server grants rights a moment after it has stored the RoleBinding. */
async function readIfAllowed(
  client: Client,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<Stored<Secret> | undefined | 'forbidden'> {
  try {
    return await client.get(Secret, key, signal);
  } catch (error) {
    if (isForbidden(error)) return 'forbidden';
    throw error;
  }
}

function noAccess(namespace: string): Obstacle {
  const { controllerManagerTenantRole: role } = fixedNames;
  const marks = `${labels.tenantNamespace}=true and ${labels.remoteClusterID}`;
  const message = `Waiting for the right to read Secrets in "${namespace}": the controllers create the RoleBinding "${role}" in namespaces with the labels ${marks}`;
  return { reason: 'NoAccessToSecrets', message };
}
