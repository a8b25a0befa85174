import type { Client, Clock, Random } from '@liqo/kube';
import type { ImageRegistry } from './containers/image-registry.ts';
import type { KubeletEvents } from './kubelet-events.ts';
import type { PodAddresses } from './pod-addresses.ts';

/** What all pods of a node share. */
export interface WorkerParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly nodeName: string;
  readonly hostIP: string;
  readonly images: ImageRegistry;
  readonly addresses: PodAddresses;
  readonly events: KubeletEvents;
  /** Variables of every container. */
  readonly environment: Readonly<Record<string, string>>;
  /** Aborts when the node stops, as a machine does that lost its power. */
  readonly signal: AbortSignal;
}
