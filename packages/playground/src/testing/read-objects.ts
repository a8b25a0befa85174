import { allKinds, labels } from '@liqo/api';
import {
  type Client,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  type Kind,
  type KubeObject,
  Namespace,
  NetworkPolicy,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  type Stored,
} from '@liqo/kube';
import type { Objects } from './compare-objects.ts';

/** Where an installation lives, with what Helm makes there: of that, only what the peers rely on is of interest. */
const liqoNamespace = 'liqo';
const installed: readonly string[] = [
  'ConfigMap liqo-clusterid-configmap',
  'Secret authentication-keys',
  'Secret liqo-webhook-certs',
];

const kinds: readonly Kind<KubeObject>[] = [
  ...allKinds,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  Namespace,
  NetworkPolicy,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
];

interface Unread {
  readonly kind?: unknown;
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** What Kubernetes alone writes, and what the key of an object says. */
const ofKubernetes: readonly string[] = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'managedFields',
];

/** The objects of a cluster that are about a peer. */
export async function readObjects(client: Client): Promise<Objects> {
  const found = new Map<string, unknown>();
  for (const kind of kinds) {
    const { items } = await client.list(kind);
    for (const object of items.filter((item) => isAboutPeer(kind, item))) {
      const { namespace, name } = object.metadata;
      const key = namespace === undefined ? name : `${namespace}/${name}`;
      found.set(`${kind.kind} ${key}`, bare(kind, object));
    }
  }
  return found;
}

function isAboutPeer({ kind }: Kind<KubeObject>, { metadata }: Stored<KubeObject>): boolean {
  const { namespace, name } = metadata;
  if (namespace === liqoNamespace) return installed.includes(`${kind} ${name}`);
  if (namespace?.startsWith('liqo-tenant-')) return !/^(default|kube-root-ca\.crt)$/.test(name);
  if (allKinds.some((ours) => ours.kind === kind)) return true;
  if (kind === 'Namespace') return name.startsWith('liqo-tenant-');
  return namespace === undefined && metadata.labels?.[labels.remoteClusterID] !== undefined;
}

function bare({ kind }: Kind<KubeObject>, object: Stored<KubeObject>): unknown {
  const metadata = Object.fromEntries(
    Object.entries(object.metadata).filter(([field]) => !ofKubernetes.includes(field)),
  );
  const { kind: _, spec, status, ...others } = object as Stored<KubeObject> & Unread;
  if (kind === 'Namespace') return { ...others, metadata };
  if (kind === 'Deployment') return { ...others, metadata, spec };
  return { ...others, metadata, spec, status };
}
