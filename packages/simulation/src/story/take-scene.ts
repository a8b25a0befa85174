import { NamespaceMap, NamespaceOffloading, ShadowPod, VirtualNode } from '@liqo/api';
import {
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
  ServiceAccount,
} from '@liqo/kube';
import type { Scene, SceneObject } from '@liqo/testkit/faults';
import type { SimulatedWorld } from '../world/simulated-world.ts';

const kinds: readonly Kind[] = [
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  Lease,
  Namespace,
  NamespaceMap,
  NamespaceOffloading,
  Node,
  Pod,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  ShadowPod,
  VirtualNode,
];

/** Everything there is in all clusters at a moment, without what is never the same twice. */
export async function takeScene(world: SimulatedWorld, name: string): Promise<Scene> {
  const seen: Sighting[] = [];
  for (const cluster of world.clusters.values()) {
    for (const kind of kinds) {
      const { items } = await cluster.admin.list(kind);
      seen.push(...items.map((object) => ({ cluster: cluster.name, kind: kind.kind, object })));
    }
  }
  const generated = new Map(seen.flatMap(({ object }) => generatedName(object)));
  return { name, objects: seen.map((sighting) => portray(sighting, generated)) };
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
): SceneObject {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata ?? {};
  const text = mask(JSON.stringify({ ...object, metadata }), generated);
  const content = JSON.parse(text, inOrder);
  const { namespace, name } = content.metadata;
  return { name: `${cluster} ${kind} ${namespace ? `${namespace}/` : ''}${name}`, content };
}

/** Conditions are in the order in which they became known. */
function inOrder(key: string, value: unknown): unknown {
  if (key !== 'conditions' || !Array.isArray(value)) return value;
  return value.toSorted((one, other) => (one.type < other.type ? -1 : 1));
}

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const address = /\b10\.244\.\d+\.\d+\b/g;
const container = /containerd:\/\/[0-9a-f]{64}/g;
const volume = /\bkube-api-access-[a-z0-9]{5}\b/g;

function mask(text: string, names: ReadonlyMap<string, string>): string {
  const masked = text
    .replace(uid, '(uid)')
    .replace(time, '(time)')
    .replace(address, '(address)')
    .replace(container, '(container)')
    .replace(volume, 'kube-api-access-*');
  return [...names].reduce((result, [name, known]) => result.replaceAll(name, known), masked);
}
