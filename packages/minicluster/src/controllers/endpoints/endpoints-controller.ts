import {
  EndpointSlice,
  Endpoints,
  isAlreadyExists,
  keyOf,
  keyString,
  labelQueryFromLabels,
  matchesLabels,
  Node,
  Pod,
  parseKey,
  Service,
  type Stored,
} from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isNamespaceTerminating } from '../is-namespace-terminating.ts';
import { messageOf } from '../message-of.ts';
import { isPodReady } from '../pod-state.ts';
import { isManagedSlice, serviceNameLabel } from './plan-endpoint-slices.ts';
import { planEndpoints } from './plan-endpoints.ts';
import { SliceWriter } from './slice-writer.ts';

/** Keeps the EndpointSlices, and the older Endpoints, of every service that selects pods. */
export function startEndpointsController(context: ControllerContext): void {
  const services = context.informer(Service);
  const pods = context.informer(Pod);
  const slices = context.informer(EndpointSlice);
  const controller = new EndpointsController(context);
  const loop = context.loop('endpoints', async (key) => {
    await controller.reconcile(key);
    return undefined;
  });
  services.onChange((current, previous) => {
    const service = current ?? previous;
    if (service) loop.add(keyString(keyOf(service)));
  });
  slices.onChange((current, previous) => {
    const slice = current ?? previous;
    const name = slice?.metadata.labels?.[serviceNameLabel];
    if (slice && name && isManagedSlice(slice)) {
      loop.add(keyString({ namespace: slice.metadata.namespace, name }));
    }
  });
  context.informer(Node).onChange((current, previous) => {
    const isNews = !previous || zoneOf(current) !== zoneOf(previous);
    const { name } = current?.metadata ?? {};
    if (!current || !isNews) return;
    for (const pod of pods.all().filter(({ spec }) => spec?.nodeName === name)) {
      for (const service of servicesOf(services, pod, undefined)) {
        loop.add(keyString(keyOf(service)));
      }
    }
  });
  pods.onChange((current, previous) => {
    for (const service of servicesOf(services, current, previous)) {
      loop.add(keyString(keyOf(service)));
    }
  });
}

function zoneOf(node: Node | undefined): string | undefined {
  return node?.metadata?.labels?.['topology.kubernetes.io/zone'];
}

function servicesOf(
  services: Informer<Service>,
  current: Stored<Pod> | undefined,
  previous: Stored<Pod> | undefined,
): readonly Stored<Service>[] {
  if (current && previous && isSameEndpoint(current, previous)) return [];
  const labels = [current, previous].map((pod) => pod?.metadata.labels);
  const { namespace } = (current ?? previous)?.metadata ?? {};
  return services.inNamespace(namespace).filter(({ spec }) => {
    if (!spec?.selector) return false;
    const query = labelQueryFromLabels(spec.selector);
    return labels.some((one) => matchesLabels(query, one));
  });
}

/** Whether nothing changed that an endpoint tells of. */
function isSameEndpoint(a: Stored<Pod>, b: Stored<Pod>): boolean {
  const facts = (pod: Stored<Pod>) =>
    JSON.stringify([
      pod.status?.phase,
      pod.status?.podIPs,
      isPodReady(pod),
      pod.spec?.nodeName,
      pod.metadata.deletionTimestamp,
      pod.metadata.labels,
    ]);
  return facts(a) === facts(b);
}

class EndpointsController {
  readonly #context: ControllerContext;
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #sliceWriter: SliceWriter;
  readonly #endpoints: Informer<Endpoints>;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#services = context.informer(Service);
    this.#pods = context.informer(Pod);
    this.#sliceWriter = new SliceWriter(context);
    this.#endpoints = context.informer(Endpoints);
    this.#events = context.events('endpoint-controller');
  }

  async reconcile(key: string): Promise<void> {
    const service = this.#services.get(parseKey(key));
    if (!service) return this.#removeEndpoints(key);
    const { selector, type } = service.spec ?? {};
    if (!selector || type === 'ExternalName' || service.metadata.deletionTimestamp) return;
    const query = labelQueryFromLabels(selector);
    const pods = this.#pods
      .inNamespace(service.metadata.namespace)
      .filter(({ metadata }) => matchesLabels(query, metadata.labels));
    await this.#sliceWriter.write(service, pods);
    await this.#writeEndpoints(service, pods);
  }

  /** The slices have an owner and go by themselves. */
  async #removeEndpoints(key: string): Promise<void> {
    const left = this.#endpoints.get(parseKey(key));
    const isOurs = left?.metadata.labels?.['endpoints.kubernetes.io/managed-by'];
    if (left && isOurs) await this.#endpoints.delete(left);
  }

  async #writeEndpoints(service: Stored<Service>, pods: readonly Stored<Pod>[]): Promise<void> {
    const existing = this.#endpoints.get(keyOf(service));
    const wanted = planEndpoints(service, pods, existing);
    if (!wanted) return;
    try {
      if (existing) await this.#endpoints.update(mergeEndpoints(existing, wanted));
      else await this.#endpoints.create(wanted);
    } catch (error) {
      if (isNamespaceTerminating(error)) return;
      this.#tellFailure(service, existing, messageOf(error));
      if (existing || !isAlreadyExists(error)) throw error;
      this.#context.report(error, `endpoints ${keyString(keyOf(service))}`);
    }
  }

  #tellFailure(
    service: Stored<Service>,
    existing: Stored<Endpoints> | undefined,
    fact: string,
  ): void {
    const { namespace = '', name } = service.metadata;
    const [verb, what] = existing ? ['Update', 'endpoint'] : ['Create', 'endpoint for service'];
    const about = existing ?? { apiVersion: 'v1', kind: 'Endpoints', namespace, name };
    const message = `Failed to ${verb.toLowerCase()} ${what} ${namespace}/${name}: ${fact}`;
    this.#events.warning(about, `FailedTo${verb}Endpoint`, message);
  }
}

function mergeEndpoints(existing: Stored<Endpoints>, wanted: Endpoints): Stored<Endpoints> {
  return { ...existing, ...wanted, metadata: { ...existing.metadata, ...wanted.metadata } };
}
