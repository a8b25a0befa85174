import type { NodeInfo } from '../node-info.ts';

/** Numbers by place: a place is a value that nodes have for a label, such as a zone. */
export class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  /** Nodes without the label are in no place. */
  add(node: NodeInfo, topologyKey: string, amount: number): void {
    const value = node.labels[topologyKey];
    if (value === undefined) return;
    const places = this.#counts.get(topologyKey) ?? new Map<string, number>();
    this.#counts.set(topologyKey, places.set(value, (places.get(value) ?? 0) + amount));
  }

  /** What was counted where the node is. */
  at(node: NodeInfo, topologyKey: string): number {
    const value = node.labels[topologyKey];
    return value === undefined ? 0 : (this.#counts.get(topologyKey)?.get(value) ?? 0);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** Over all labels. */
  sumAt(node: NodeInfo): number {
    let sum = 0;
    for (const topologyKey of this.#counts.keys()) sum += this.at(node, topologyKey);
    return sum;
  }

  isPositiveAt(node: NodeInfo): boolean {
    return [...this.#counts.keys()].some((topologyKey) => this.at(node, topologyKey) > 0);
  }
}
