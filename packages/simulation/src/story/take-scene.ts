import {
  ForeignCluster,
  Identity,
  NamespaceMap,
  NamespaceOffloading,
  Quota,
  Renew,
  ResourceSlice,
  ShadowPod,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import {
  CertificateSigningRequest,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  type Kind,
  type KubeObject,
  Lease,
  Namespace,
  Node,
  Pod,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
} from '@liqo/kube';
import type { Scene, SceneObject } from '@liqo/testkit/faults';
import type { SimulatedWorld } from '../world/simulated-world.ts';

const kinds: readonly Kind[] = [
  CertificateSigningRequest,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  ForeignCluster,
  Identity,
  Lease,
  Namespace,
  NamespaceMap,
  NamespaceOffloading,
  Node,
  Pod,
  Quota,
  Renew,
  ResourceSlice,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ShadowPod,
  Tenant,
  VirtualNode,
];

/**
 * Everything there is in all clusters at a moment, without what is never the same twice. How often a spec was written is left out unless
 * the story is the same at every moment.
 */
export async function takeScene(
  world: SimulatedWorld,
  name: string,
  { isSteady }: { readonly isSteady: boolean },
): Promise<Scene> {
  const seen: Sighting[] = [];
  for (const cluster of world.clusters.values()) {
    for (const kind of kinds) {
      const { items } = await cluster.admin.list(kind);
      seen.push(...items.map((object) => ({ cluster: cluster.name, kind: kind.kind, object })));
    }
  }
  const generated = new Map(seen.flatMap(({ object }) => generatedName(object)));
  return { name, objects: seen.map((sighting) => portray(sighting, generated, isSteady)) };
}

interface Sighting {
  readonly cluster: string;
  readonly kind: string;
  readonly object: KubeObject;
}

/** A name that was made up, and the part of it that was not. */
function generatedName({ metadata }: KubeObject): readonly (readonly [string, string])[] {
  const { name, generateName } = metadata ?? {};
  return name && generateName ? [[name, `${generateName}*`]] : [];
}

function portray(
  { cluster, kind, object }: Sighting,
  generated: ReadonlyMap<string, string>,
  isSteady: boolean,
): SceneObject {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata ?? {};
  const text = mask(JSON.stringify({ ...object, metadata }), generated);
  const content = JSON.parse(text, isSteady ? inOrder : withoutGeneration);
  const { namespace, name } = content.metadata;
  return { name: `${cluster} ${kind} ${namespace ? `${namespace}/` : ''}${name}`, content };
}

/**
 * Conditions are in the order in which they became known. Those of reflection are left out: a virtual kubelet that starts again does not
 * know which problems there had been before.
 */
function inOrder(key: string, value: unknown): unknown {
  if (key === 'reflectionConditions') return undefined;
  if (key !== 'conditions' || !Array.isArray(value)) return value;
  return value.toSorted((one, other) => (one.type < other.type ? -1 : 1));
}

const generations: readonly string[] = ['generation', 'observedGeneration'];

function withoutGeneration(key: string, value: unknown): unknown {
  return generations.includes(key) ? undefined : inOrder(key, value);
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
/** Of pods and of Services. */
const address = /\b10\.(244|9[6-9]|10\d|11[01])\.\d+\.\d+\b/g;
const container = /containerd:\/\/[0-9a-f]{64}/g;
/** Keys, certificates and nonces, as bytes are written in JSON. */
const secret = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{80,}={0,2}/g;
const digest = /\b[0-9a-f]{64}\b/g;
const volume = /\bkube-api-access-[a-z0-9]{5}\b/g;

function mask(text: string, names: ReadonlyMap<string, string>): string {
  const masked = text
    .replace(uid, '(uid)')
    .replace(time, '(time)')
    .replace(address, '(address)')
    .replace(secret, '(secret)')
    .replace(container, '(container)')
    .replace(digest, '(digest)')
    .replace(volume, 'kube-api-access-*');
  return [...names].reduce((result, [name, known]) => result.replaceAll(name, known), masked);
}
