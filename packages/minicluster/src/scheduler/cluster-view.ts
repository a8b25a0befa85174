import type { Node, Stored } from '@liqo/kube';
import { NodeInfo } from './node-info.ts';
import type { PodInfo } from './pod-info.ts';
import { noVolumes, type VolumeSnapshot } from './volumes/volume-snapshot.ts';

type Labels = Readonly<Record<string, string>>;

/** What the plugins see of the cluster. */
export interface ClusterSnapshot {
  readonly nodes: readonly NodeInfo[];
  readonly volumes: VolumeSnapshot;
  namespaceLabels(namespace: string): Labels;
}

/**
 * The cluster as the scheduler knows it: what the API server told, and the pods it has placed itself a moment ago
 * whose binding the API server has not told back yet.
 */
export class ClusterView implements ClusterSnapshot {
  readonly volumes: VolumeSnapshot;
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #namespaces = new Map<string, Labels>();
  readonly #placed = new Map<string, { readonly pod: PodInfo; readonly nodeName: string }>();
  #ordered: readonly NodeInfo[] | undefined;

  constructor(volumes: VolumeSnapshot = noVolumes) {
    this.volumes = volumes;
  }

  get nodes(): readonly NodeInfo[] {
    this.#ordered ??= [...this.#nodes.values()];
    return this.#ordered;
  }

  namespaceLabels(namespace: string): Labels {
    return this.#namespaces.get(namespace) ?? {};
  }

  setNamespace(name: string, labels: Labels | undefined): void {
    if (labels) this.#namespaces.set(name, labels);
    else this.#namespaces.delete(name);
  }

  setNode(node: Stored<Node>): void {
    const { name } = node.metadata;
    this.#nodes.set(name, new NodeInfo(node, this.#podsOn(name)));
    this.#ordered = undefined;
  }

  removeNode(name: string): void {
    this.#nodes.delete(name);
    this.#ordered = undefined;
  }

  /** Pods of nodes that are not known yet are kept until those are. Safe to repeat. */
  place(pod: PodInfo, nodeName: string): void {
    this.unplace(pod.key);
    this.#placed.set(pod.key, { pod, nodeName });
    this.#nodes.get(nodeName)?.add(pod);
  }

  unplace(key: string): void {
    const placed = this.#placed.get(key);
    if (!placed) return;
    this.#placed.delete(key);
    this.#nodes.get(placed.nodeName)?.remove(key);
  }

  isPlaced(key: string): boolean {
    return this.#placed.has(key);
  }

  #podsOn(name: string): PodInfo[] {
    const here = [...this.#placed.values()].filter(({ nodeName }) => nodeName === name);
    return here.map(({ pod }) => pod);
  }
}
