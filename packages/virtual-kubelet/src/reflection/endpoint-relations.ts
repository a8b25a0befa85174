import { deepEqual, type Node, type ObjectKey, Service, type Stored } from '@liqo/kube';
import { type EndpointFacts, withPolicyOnly } from '@liqo/model';
import { type Informer, SharedInformers, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import { type RelatedCaches, relatedCaches } from './related-caches.ts';
import { onNodeChange, watchNodes } from './watch-nodes.ts';

interface EndpointChanges {
  /** Told of a Service whose endpoints may have to be reflected otherwise. */
  readonly onService: (service: Stored<Service>) => void;
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
    const nodes = this.#shared.share('nodes', () => watchNodes(this.#context));
    const services = this.#startServices(namespace);
    this.#nodes = nodes.value;
    this.#services.set(namespace, services);
    const subscription = onNodeChange(nodes.value, onNodes);
    services.subscribe({
      onAdd: (service, isInitialList) => void (isInitialList || onService(service)),
      onUpdate: ({ metadata }, now) =>
        void (deepEqual(metadata.annotations, now.metadata.annotations) || onService(now)),
      onDelete: onService,
    });
    return relatedCaches([nodes.value, services], () => {
      subscription[Symbol.dispose]();
      if (this.#services.get(namespace) === services) this.#services.delete(namespace);
      return Promise.all([services[Symbol.asyncDispose](), nodes[Symbol.asyncDispose]()]);
    });
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
