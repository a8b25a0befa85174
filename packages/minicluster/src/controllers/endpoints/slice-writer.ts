import { EndpointSlice, Node, type Pod, type Service, type Stored } from '@liqo/kube';
import type { ControllerContext } from '../controller-context.ts';
import type { ControllerEvents } from '../events/event-recorder.ts';
import type { Informer } from '../informer.ts';
import { isNamespaceTerminating } from '../is-namespace-terminating.ts';
import { joinFailures } from '../join-failures.ts';
import { messageOf } from '../message-of.ts';
import {
  isManagedSlice,
  isPlaced,
  planEndpointSlices,
  type SlicePlan,
  serviceNameLabel,
} from './plan-endpoint-slices.ts';
import { podsBehind } from './service-endpoints.ts';

/** Keeps the EndpointSlices of a service, and says in events of the service what stands in the way. */
export class SliceWriter {
  readonly #slices: Informer<EndpointSlice>;
  readonly #nodes: Informer<Node>;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext) {
    this.#slices = context.informer(EndpointSlice);
    this.#nodes = context.informer(Node);
    this.#events = context.events('endpoint-slice-controller');
  }

  async write(service: Stored<Service>, pods: readonly Stored<Pod>[]): Promise<void> {
    const nodeOf = (name: string) => this.#nodes.get({ name });
    const plan = planEndpointSlices({ service, pods, nodeOf, existing: this.#slicesOf(service) });
    try {
      await this.#carryOut(service, plan);
    } catch (error) {
      this.#tellFailure(service, messageOf(error));
      throw error;
    }
    const skipped = podsBehind(pods, { withTerminating: true })
      .filter((pod) => !isPlaced(service, pod, nodeOf))
      .map((pod) => skippingText(service, pod));
    const failures = joinFailures(skipped);
    if (failures) this.#tellFailure(service, failures);
  }

  #slicesOf({ metadata }: Stored<Service>): readonly Stored<EndpointSlice>[] {
    return this.#slices
      .inNamespace(metadata.namespace)
      .filter((slice) => slice.metadata.labels?.[serviceNameLabel] === metadata.name)
      .filter((slice) => isManagedSlice(slice) && !slice.metadata.deletionTimestamp);
  }

  async #carryOut(service: Stored<Service>, plan: SlicePlan): Promise<void> {
    for (const slice of plan.create) {
      await attempt(service, 'create', () => this.#slices.create(slice));
    }
    for (const slice of plan.update) {
      await attempt(service, `update ${slice.metadata.name}`, () => this.#slices.update(slice));
    }
    for (const slice of plan.remove) {
      await attempt(service, `delete ${slice.metadata.name}`, () => this.#slices.delete(slice));
    }
  }

  #tellFailure(service: Stored<Service>, fact: string): void {
    const message = `Error updating Endpoint Slices for Service ${pathOf(service)}: ${fact}`;
    this.#events.warning(service, 'FailedToUpdateEndpointSlices', message);
  }
}

/** Fails in the words of kube-controller-manager, which go into an event. */
async function attempt(
  service: Stored<Service>,
  what: string,
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act();
  } catch (cause) {
    if (isNamespaceTerminating(cause)) return;
    const fact = messageOf(cause);
    throw new Error(`failed to ${what} EndpointSlice for Service ${pathOf(service)}: ${fact}`, {
      cause,
    });
  }
}

function skippingText(service: Stored<Service>, { metadata, spec }: Stored<Pod>): string {
  const { name } = metadata;
  return `skipping Pod ${name} for Service ${pathOf(service)}: Node ${spec?.nodeName ?? ''} Not Found`;
}

function pathOf({ metadata }: Stored<Service>): string {
  return `${metadata.namespace}/${metadata.name}`;
}
