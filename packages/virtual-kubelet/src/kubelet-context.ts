import type { Client, Clock, ObjectKey, Random } from '@liqo/kube';
import type { EventRecorder, Logger, Metrics } from '@liqo/runtime';

/** What the parts of a virtual kubelet work with: one virtual node, between two clusters. */
export interface KubeletContext {
  /** The consumer's cluster, where the Node is. */
  readonly local: Client;
  /** The VirtualNode; the Node has its name. */
  readonly virtualNode: ObjectKey & { readonly namespace: string };
  /** The Secret in its namespace whose key `kubeconfig` leads to the provider. */
  readonly kubeconfigSecretName: string;
  /** Where Liqo is installed at the consumer. */
  readonly liqoNamespace: string;
  readonly consumerClusterID: string;
  readonly providerClusterID: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly events: EventRecorder;
  readonly metrics?: Metrics;
  /** A client of whoever a kubeconfig leads to. The text came from somebody else: it may neither run nor read anything. */
  readonly connectProvider: (kubeconfig: string) => Promise<Client>;
}
