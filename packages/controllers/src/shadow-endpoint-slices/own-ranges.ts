import { deepEqual, type IpRange, IpRangeSet, type Node } from '@liqo/kube';
import { type AddressPolicy, rangesOfNode } from '@liqo/model';
import type { Informer, ServiceRanges } from '@liqo/runtime';

export interface EndpointRanges {
  /** Addresses of this cluster, besides those of its Nodes and Services, that no endpoint of a consumer may have. */
  readonly denied: readonly IpRange[];
  /** Allowed although they are in a range of this cluster. */
  readonly allowed: readonly IpRange[];
}

interface OwnRangesOptions extends EndpointRanges {
  readonly nodes: Informer<Node>;
  /** Read when the ranges are computed. */
  readonly services: Pick<ServiceRanges, 'ranges'>;
}

/** Which addresses the endpoints of consumers may have; computed again when the Nodes or the Services change. */
export class OwnRanges {
  readonly #options: OwnRangesOptions;
  readonly #listeners = new Set<() => void>();
  #policy: AddressPolicy | undefined;

  constructor(options: OwnRangesOptions) {
    this.#options = options;
    options.nodes.subscribe({
      onAdd: () => this.lookAgain(),
      onUpdate: (before, after) => {
        if (!deepEqual(rangesOfNode(before), rangesOfNode(after))) this.lookAgain();
      },
      onDelete: () => this.lookAgain(),
    });
  }

  get policy(): AddressPolicy {
    this.#policy ??= this.#compute();
    return this.#policy;
  }

  subscribe(onChange: () => void): Disposable {
    this.#listeners.add(onChange);
    return { [Symbol.dispose]: () => this.#listeners.delete(onChange) };
  }

  /** Tells the listeners if other addresses are allowed than before. Before the first use nothing depends on the ranges. */
  lookAgain(): void {
    const before = this.#policy;
    if (!before) return;
    this.#policy = this.#compute();
    if (this.#policy.own.equals(before.own)) return;
    for (const tell of this.#listeners) tell();
  }

  #compute(): AddressPolicy {
    const { nodes, services, denied, allowed } = this.#options;
    const ofNodes = nodes.list().flatMap(rangesOfNode);
    const own = new IpRangeSet([...denied, ...ofNodes, ...services.ranges]);
    return { isReflected: true, own, exempt: new IpRangeSet(allowed) };
  }
}
