import { type Client, Event, mergePatch, Node, type ObjectKey, Pod } from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

type PodSpec = NonNullable<Pod['spec']>;
type NodeSpec = NonNullable<Node['spec']>;
type NodeLimits = Pick<NodeSpec, 'taints' | 'unschedulable'>;
type Taint = NonNullable<NodeSpec['taints']>[number];

const waitLong = { timeoutMs: 30_000 };

export function nodeNamed(name: string): Partial<PodSpec> {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [name] }];
  const nodeSelectorTerms = [{ matchFields }];
  return {
    nodeSelector: {},
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } },
    },
  };
}

export async function startSite(subject: GetSubject): Promise<Site> {
  return new Site(subject().client, await freshNamespace(subject()));
}

/** Nodes and pods of one test: its pods go to its nodes only. */
class Site implements AsyncDisposable {
  readonly client: Client;
  readonly namespace: string;
  readonly #nodes: string[] = [];

  constructor(client: Client, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  nodeName(name: string): string {
    return `${this.namespace}-${name}`;
  }

  /** A node that nobody runs, that says it is ready, and that the scheduler knows unless it is cordoned. */
  async addNode(
    name: string,
    resources: Record<string, string> = {},
    { taints = [], unschedulable = false }: NodeLimits = {},
  ): Promise<void> {
    const full = this.nodeName(name);
    this.#nodes.push(full);
    const labels = { 'kubernetes.io/hostname': full, site: this.namespace };
    await this.client.create(Node, {
      metadata: { name: full, labels },
      spec: { taints, unschedulable },
    });
    const allocatable = { cpu: '8', memory: '8Gi', pods: '100', ...resources };
    const now = new Date(Math.floor(performance.timeOrigin + performance.now())).toISOString();
    const time = `${now.slice(0, 19)}Z`;
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'kubelet is posting ready status',
      lastHeartbeatTime: time,
      lastTransitionTime: time,
    };
    const status = { capacity: allocatable, allocatable, conditions: [ready] };
    await this.client.patch(Node, { name: full }, mergePatch({ status }), {
      subresource: 'status',
    });
    await eventually(async () => {
      const node = await this.client.get(Node, { name: full });
      expect(node?.spec?.taints ?? []).toHaveLength(taints.length + (unschedulable ? 1 : 0));
    }, waitLong);
    if (!unschedulable) await this.#untilKnown(full, taints);
  }

  /** The scheduler hears of nodes and of pods in any order: it knows a node when it has given it a pod. */
  async #untilKnown(node: string, taints: readonly Taint[]): Promise<void> {
    const tolerations = taints.map(({ key }) => ({ key, operator: 'Exists' }));
    const probe = await this.addPod(`probe-${node}`, {}, { ...nodeNamed(node), tolerations });
    await this.nodeOf(probe);
    await this.client.delete(Pod, probe, { gracePeriodSeconds: 0 });
  }

  async uncordon(name: string): Promise<void> {
    await this.#setUnschedulable(name, false);
  }

  async cordon(name: string): Promise<void> {
    await this.#setUnschedulable(name, true);
  }

  async #setUnschedulable(name: string, unschedulable: boolean): Promise<void> {
    const key = { name: this.nodeName(name) };
    await this.client.patch(Node, key, mergePatch({ spec: { unschedulable } }));
  }

  async addPod(
    name: string,
    requests: Record<string, string> = {},
    spec: Partial<PodSpec> = {},
    labels: Record<string, string> = {},
  ): Promise<ObjectKey> {
    const key = { namespace: this.namespace, name };
    const containers = [{ name: 'main', image: 'example.org/app', resources: { requests } }];
    const nodeSelector = { site: this.namespace };
    await this.client.create(Pod, {
      metadata: { ...key, labels },
      spec: { terminationGracePeriodSeconds: 0, containers, nodeSelector, ...spec },
    });
    return key;
  }

  nodeOf(pod: ObjectKey): Promise<string> {
    return eventually(async () => {
      const nodeName = (await this.client.get(Pod, pod))?.spec?.nodeName;
      if (!nodeName) throw new Error(`Expected pod "${pod.name}" to get a node`);
      return nodeName;
    }, waitLong);
  }

  /** What the pod is told when there is no node for it, once it is what it should be. */
  refusalOf(pod: ObjectKey, message: RegExp): Promise<string> {
    return eventually(async () => {
      const found = await this.client.get(Pod, pod);
      const [condition] = found?.status?.conditions ?? [];
      expect(condition).toMatchObject({
        type: 'PodScheduled',
        status: 'False',
        reason: 'Unschedulable',
        observedGeneration: found?.metadata.generation,
        message: expect.stringMatching(message),
      });
      return condition?.message ?? '';
    }, waitLong);
  }

  events(pod: ObjectKey, reason: string, options: { readonly atOnce?: boolean } = {}) {
    const { namespace } = pod;
    return eventually(async () => {
      const { items } = await this.client.list(Event, { namespace });
      const found = items.filter(
        (event) => event.reason === reason && event.regarding?.name === pod.name,
      );
      if (!options.atOnce) expect(found).not.toEqual([]);
      return found;
    }, waitLong);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { namespace } = this;
    await this.client.deleteCollection(Pod, { namespace, gracePeriodSeconds: 0 });
    for (const name of this.#nodes) await this.client.delete(Node, { name });
  }
}
