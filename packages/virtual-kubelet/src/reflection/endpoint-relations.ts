import { deepEqual, Node, type ObjectKey, Service, type Stored } from '@liqo/kube';
import { type EndpointFacts, withPolicyOnly, withProviderOnly } from '@liqo/model';
import { type Informer, SharedInformers, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { RelatedCaches } from './related-caches.ts';

interface EndpointChanges {
  /** Told of a Service whose endpoints may have to be reflected otherwise. */
  readonly onService: (service: Stored<Service>) => void;
  /** Told when a Node joins, leaves or stands for another provider. */
  readonly onNodes: () => void;
}

/** What decides about endpoints besides EndpointSlices: the Nodes, watched once, and the Services of each namespace. */
export class EndpointRelations implements EndpointFacts {
  readonly #context: KubeletContext;
  readonly #shared: SharedInformers;
  readonly #services = new Map<string, Informer<Service>>();
  #nodes: Informer<Node> | undefined;

  constructor(context: KubeletContext) {
    const { local: client, clock, random, log } = context;
    this.#context = context;
    this.#shared = new SharedInformers({ client, clock, random, log });
  }

  readonly nodeOf = (name: string): Stored<Node> | undefined => this.#nodes?.get({ name });

  readonly serviceOf = (key: ObjectKey): Stored<Service> | undefined =>
    this.#services.get(key.namespace ?? '')?.get(key);

  watch(namespace: string, { onService, onNodes }: EndpointChanges): RelatedCaches {
    const shared = this.#shared.share('nodes', () => this.#startNodes());
    const nodes = shared.value;
    const services = this.#startServices(namespace);
    this.#nodes = nodes;
    this.#services.set(namespace, services);
    const subscription = nodes.subscribe({
      onAdd: (_, isInitialList) => void (isInitialList || onNodes()),
      onUpdate: ({ metadata }, now) =>
        void (deepEqual(metadata.labels, now.metadata.labels) || onNodes()),
      onDelete: onNodes,
    });
    services.subscribe({
      onAdd: (service, isInitialList) => void (isInitialList || onService(service)),
      onUpdate: ({ metadata }, now) =>
        void (deepEqual(metadata.annotations, now.metadata.annotations) || onService(now)),
      onDelete: onService,
    });
    return {
      get hasSynced() {
        return nodes.hasSynced && services.hasSynced;
      },
      synced: async () => void (await Promise.all([nodes.synced(), services.synced()])),
      [Symbol.asyncDispose]: async () => {
        subscription[Symbol.dispose]();
        if (this.#services.get(namespace) === services) this.#services.delete(namespace);
        await Promise.all([services[Symbol.asyncDispose](), shared[Symbol.asyncDispose]()]);
      },
    };
  }

  #startNodes(): Informer<Node> {
    const { local: client, clock, random, log } = this.#context;
    return startInformer({ client, clock, random, log, kind: Node, transform: withProviderOnly });
  }

  #startServices(namespace: string): Informer<Service> {
    const { local: client, clock, random, log } = this.#context;
    return startInformer({
      client,
      clock,
      random,
      log: log.with({ namespace }),
      kind: Service,
      selection: { namespace },
      transform: withPolicyOnly,
    });
  }
}
