import { Lanes } from '@liqo/kube';

/** Where a key waits: among those of its lane, which is one of the lanes of its flow. */
export interface Place {
  readonly flow: string;
  readonly lane: string;
}

/**
 * A fair queue of two levels. Flows take turns, the lanes of a flow take turns within it, and a lane is first in, first out:
 * a flow delays the keys of another one by one turn, however many lanes and keys it has.
 */
export class FairQueue {
  /** Those that are not empty, the next one to be served first. */
  readonly #flows = new Map<string, Lanes<string>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add({ flow, lane }: Place, key: string): void {
    const lanes = this.#flows.get(flow) ?? new Lanes<string>();
    this.#size -= lanes.size;
    lanes.add(lane, key);
    this.#size += lanes.size;
    this.#flows.set(flow, lanes);
  }

  /** Takes out the next key of the flows that may be served; undefined when there is none. */
  shift(mayBeServed: (flow: string) => boolean = () => true): string | undefined {
    for (const [flow, lanes] of this.#flows) {
      if (!mayBeServed(flow)) continue;
      const key = lanes.shift();
      this.#flows.delete(flow);
      if (lanes.size > 0) this.#flows.set(flow, lanes);
      this.#size -= 1;
      return key;
    }
    return undefined;
  }

  clear(): void {
    this.#flows.clear();
    this.#size = 0;
  }
}
