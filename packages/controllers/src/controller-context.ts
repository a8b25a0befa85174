import type { Client, Clock, Random } from '@liqo/kube';
import type { EventRecorder, Logger, Metrics, SharedInformers } from '@liqo/runtime';

/** What every controller of the control plane works with. */
export interface ControllerContext {
  /** This cluster. */
  readonly client: Client;
  /** Copies of its objects, shared by all controllers. */
  readonly caches: SharedInformers;
  readonly clusterID: string;
  /** The namespace of the installation. */
  readonly liqoNamespace: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly metrics?: Metrics;
  /** A client of whoever a kubeconfig leads to. The text came from somebody else: it may neither run nor read anything. */
  readonly connectPeer: (kubeconfig: string) => Promise<Client>;
}
