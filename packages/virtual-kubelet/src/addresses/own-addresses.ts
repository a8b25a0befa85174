import { labels, labelValues } from '@liqo/api';
import {
  type Client,
  type Clock,
  deepEqual,
  type IpRange,
  IpRangeSet,
  Node,
  type Random,
} from '@liqo/kube';
import { type AddressPolicy, rangesOfNode, withAddressesOnly } from '@liqo/model';
import { type Informer, type Logger, ServiceRanges, startInformer } from '@liqo/runtime';
import type { AddressSource } from './address-source.ts';

export interface OwnAddressesOptions {
  /** The consumer's cluster. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Of the consumer, besides those of its Nodes and Services. */
  readonly ownRanges?: readonly IpRange[];
  /** Of the provider's pods, although they are in a range of the consumer. */
  readonly exemptRanges?: readonly IpRange[];
}

/** In a cluster that grows, Nodes come in bursts. */
const settleMs = 1_000;

/**
 * Takes over the addresses that are not of the consumer's own Nodes, pods and Services: one watch and one periodic read for
 * all virtual nodes of a process.
 */
export class OwnAddresses implements AddressSource {
  readonly #options: OwnAddressesOptions;
  readonly #nodes: Informer<Node>;
  readonly #services: ServiceRanges;
  readonly #exempt: IpRangeSet;
  readonly #listeners = new Set<() => void>();
  #own: IpRangeSet | undefined;
  #isSettling = false;

  constructor(options: OwnAddressesOptions) {
    this.#options = options;
    this.#exempt = new IpRangeSet(options.exemptRanges ?? []);
    this.#nodes = startInformer({
      ...options,
      kind: Node,
      selection: { labelSelector: `${labels.type}!=${labelValues.virtualNode}` },
      transform: withAddressesOnly,
    });
    this.#nodes.subscribe({
      onAdd: () => this.#settle(),
      onUpdate: (before, after) => {
        if (!deepEqual(rangesOfNode(before), rangesOfNode(after))) this.#settle();
      },
      onDelete: () => this.#settle(),
    });
    this.#services = new ServiceRanges({ ...options, onChange: () => this.#settle() });
  }

  get caches() {
    return [this.#nodes, this.#services];
  }

  get policy(): AddressPolicy {
    this.#own ??= this.#ownRanges();
    return { isReflected: true, own: this.#own, exempt: this.#exempt };
  }

  subscribe(onChange: () => void): Disposable {
    this.#listeners.add(onChange);
    return { [Symbol.dispose]: () => this.#listeners.delete(onChange) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listeners.clear();
    await Promise.all([this.#nodes[Symbol.asyncDispose](), this.#services[Symbol.asyncDispose]()]);
  }

  #ownRanges(): IpRangeSet {
    const { ownRanges = [] } = this.#options;
    const nodes = this.#nodes.list().flatMap(rangesOfNode);
    return new IpRangeSet([...ownRanges, ...nodes, ...this.#services.ranges]);
  }

  #settle(): void {
    if (this.#isSettling || this.#own === undefined) return;
    this.#isSettling = true;
    this.#options.clock.after(settleMs, () => this.#compare());
  }

  #compare(): void {
    this.#isSettling = false;
    const before = this.#own;
    this.#own = this.#ownRanges();
    if (before && this.#own.equals(before)) return;
    for (const tell of this.#listeners) tell();
  }
}
