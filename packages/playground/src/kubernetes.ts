import type { Client, Clock, Deployment } from '@liqo/kube';
import type { Identity } from '@liqo/minicluster';

export type PodTemplate = NonNullable<Deployment['spec']>['template'];

/** A cluster that others can be introduced to. */
export interface Peer<Self> {
  readonly name: string;
  /** As the administrator. */
  readonly client: Client;
  /** The text of a kubeconfig for anybody else, on the way that leads there from another cluster. */
  kubeconfigFor(user: Identity, from: Self): string | Promise<string>;
}

/** A cluster as the people of a world know it, whatever it is made of. */
export interface WorldCluster<Self> extends Peer<Self>, AsyncDisposable {
  readonly kubeconfigText: string;
}

export interface InstallOptions<Self> {
  /** The cluster that reaches the API server by the address that peers are told. */
  readonly consumer?: Self | undefined;
  readonly signal?: AbortSignal;
}

/** Where the clusters of a world come from. */
export interface Kubernetes<C extends WorldCluster<C>> {
  readonly clock: Clock;
  /** A cluster with nodes, and nothing else in it. When it rejects, nothing is left. */
  startCluster(name: string, signal?: AbortSignal): Promise<C>;
  /** Makes the API server of each reachable for the other. */
  connect(a: C, b: C): Promise<void>;
  /** Resolves when the product runs. */
  install(cluster: C, options?: InstallOptions<C>): Promise<void>;
  /** Ends the product in all clusters in order, where it would not end with them. */
  endProduct?(): Promise<void>;
  /** What a pod is made of that writes a log, can be looked into and serves a page at its port "http". */
  readonly website: PodTemplate;
}
