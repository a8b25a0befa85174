import { rootCaConfigMapName, ShadowPod, virtualKubeletName } from '@liqo/api';
import {
  ConfigMap,
  Deployment,
  deepEqual,
  type Kind,
  type KubeObject,
  keyString,
  Namespace,
  Node,
  type ObjectKey,
  Pod,
  type Stored,
} from '@liqo/kube';
import type { SimulatedWorld } from '../world/simulated-world.ts';
import {
  home,
  namespaces,
  providers,
  remoteName,
  singles,
  tenantNamespaceOf,
  virtualNodes,
} from './names.ts';
import type { Stranger } from './step.ts';

const owner = { labels: { owner: 'somebody-else' }, annotations: { note: 'hands off' } };
const remote = remoteName(namespaces[0], 'DefaultName');
const [provider] = providers;
const [, takenNode] = virtualNodes;

interface Plan {
  readonly cluster: string;
  readonly kind: Kind<KubeObject>;
  readonly object: KubeObject;
}

function plan<T extends KubeObject>(cluster: string, kind: Kind<T>, object: T): Plan {
  const metadata = { ...object.metadata, ...owner };
  return { cluster, kind: kind as unknown as Kind<KubeObject>, object: { ...object, metadata } };
}

const plans = ({ clusters }: SimulatedWorld): Readonly<Record<Stranger, Plan>> => ({
  'remote namespace': plan(provider, Namespace, { metadata: { name: remote } }),
  'remote pod': plan(provider, Pod, {
    metadata: { namespace: remote, name: singles[0] },
    spec: {
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'theirs', image: 'theirs' }],
    },
  }),
  'remote shadow pod': plan(provider, ShadowPod, {
    metadata: { namespace: remote, name: singles[1] },
    spec: {},
  }),
  'remote root certificate': plan(provider, ConfigMap, {
    metadata: { namespace: remote, name: rootCaConfigMapName(home) },
    data: { theirs: 'yes' },
  }),
  'virtual kubelet': plan(home, Deployment, {
    metadata: {
      namespace: tenantNamespaceOf(takenNode, clusters),
      name: virtualKubeletName(takenNode),
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: 'theirs' } },
      template: {
        metadata: { labels: { app: 'theirs' } },
        spec: { containers: [{ name: 'theirs', image: 'theirs' }] },
      },
    },
  }),
  node: plan(home, Node, { metadata: { name: takenNode } }),
});

interface Settled {
  readonly plan: Plan;
  readonly key: ObjectKey;
  readonly created: Stored<KubeObject>;
  /** The UID of its namespace. */
  readonly home: string | undefined;
}

/** The objects of somebody else, and what they were when they were made. */
export class Strangers {
  readonly #world: SimulatedWorld;
  readonly #settled = new Map<Stranger, Settled>();

  constructor(world: SimulatedWorld) {
    this.#world = world;
  }

  has(stranger: Stranger): boolean {
    return this.#settled.has(stranger);
  }

  /** Fails if the name is taken, by the product above all. */
  async settle(stranger: Stranger): Promise<void> {
    const wanted = plans(this.#world)[stranger];
    const { admin } = this.#world.cluster(wanted.cluster);
    const created = await this.#world.answer(admin.create(wanted.kind, wanted.object));
    const { namespace, name } = created.metadata;
    const key = { name, ...(namespace !== undefined && { namespace }) };
    const home = await this.#namespaceUid(wanted.cluster, namespace);
    this.#settled.set(stranger, { plan: wanted, key, created, home });
  }

  async leave(): Promise<void> {
    for (const [stranger, { plan: wanted, key, created }] of [...this.#settled]) {
      const { admin } = this.#world.cluster(wanted.cluster);
      const { uid } = created.metadata;
      this.#settled.delete(stranger);
      await admin.delete(wanted.kind, key, { preconditions: { uid } }).catch(() => undefined);
    }
  }

  /** Whatever was done to them. One whose namespace went, went with it, also if there is another one by now. */
  async findHarm(): Promise<readonly string[]> {
    const harm: string[] = [];
    for (const [stranger, settled] of [...this.#settled]) {
      const { admin } = this.#world.cluster(settled.plan.cluster);
      const { key, plan: wanted } = settled;
      const now = await admin.get(wanted.kind, key);
      if (now && isUntouched(settled.created, now, wanted.kind)) continue;
      const isGone = now?.metadata.uid !== settled.created.metadata.uid;
      if (isGone && (await this.#namespaceUid(wanted.cluster, key.namespace)) !== settled.home) {
        this.#settled.delete(stranger);
        continue;
      }
      const what = now ? 'changed' : 'deleted';
      harm.push(`somebody else's ${wanted.kind.kind} "${keyString(key)}" was ${what}`);
    }
    return harm;
  }

  /** Undefined where there is none, or none for long. */
  async #namespaceUid(cluster: string, name: string | undefined): Promise<string | undefined> {
    if (name === undefined) return undefined;
    const { admin } = this.#world.cluster(cluster);
    const { metadata } = (await admin.get(Namespace, { name })) ?? {};
    return metadata?.deletionTimestamp === undefined ? metadata?.uid : undefined;
  }
}

/** Kubernetes itself schedules pods and marks nodes; all else is nobody's business. */
function isUntouched(
  before: Stored<KubeObject>,
  after: Stored<KubeObject>,
  kind: Kind<KubeObject>,
): boolean {
  return deepEqual(substanceOf(before, kind), substanceOf(after, kind));
}

function substanceOf(object: Stored<KubeObject>, kind: Kind<KubeObject>) {
  const { metadata, spec, data } = object as Stored<KubeObject> & Content;
  const { uid, labels, annotations, ownerReferences = [], finalizers = [] } = metadata;
  const { nodeName: _, ...wish } = spec ?? {};
  const isNode = kind.kind === Node.kind;
  return {
    uid,
    labels: Object.entries(labels ?? {}).filter(([key]) => !key.startsWith('kubernetes.io/')),
    annotations: Object.entries(annotations ?? {}).filter(
      ([key]) => !key.includes('kubernetes.io/'),
    ),
    ownerReferences,
    finalizers,
    data,
    spec: isNode ? undefined : wish,
  };
}

interface Content {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}
