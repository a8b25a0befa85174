import type { Client } from '@liqo/kube';
import type { User } from './certificate-authority.ts';
import type { Component, ComponentName } from './component.ts';
import type { ClusterNetwork } from './network/cluster-network.ts';
import type { RealNode } from './node/real-node.ts';

/** A Kubernetes of the real programs, on this machine. Disposed, or its owner dead, nothing of it is left. */
export interface RealCluster extends AsyncDisposable {
  readonly name: string;
  /** The URL of the API server. */
  readonly server: string;
  /** Path of a kubeconfig for the administrator, good for `kubectl --kubeconfig`. */
  readonly kubeconfig: string;
  readonly kubeconfigText: string;
  /** As the administrator; ends with the cluster. */
  readonly client: Client;
  /** Where its files are; gone with the cluster. */
  readonly folder: string;
  /** The folder of the programs, `kubectl` among them. */
  readonly assets: string;
  /** Nothing in a cluster without nodes, whose API server is on loopback. */
  readonly network: ClusterNetwork | undefined;
  /** The whole ones, in the order of their addresses; hollow ones are objects and nothing else. */
  readonly nodes: readonly RealNode[];
  /** Throws for a node that this cluster was started without. */
  node(name: string): RealNode;
  /** Puts an image, packed as a docker-archive, on every node: pods with `imagePullPolicy: Never` find it. */
  loadImage(archivePath: string): Promise<void>;
  /** The text of a kubeconfig for anybody else; on the way that leads through another cluster, when that is given. */
  kubeconfigFor(user: User, from?: RealCluster): Promise<string>;
  /**
   * The URL by which components of another cluster reach this one's API server. Whoever uses it, pod of that cluster or
   * test, goes through the network of that cluster and the link between the two, and suffers what is done to it.
   */
  serverFrom(other: RealCluster): string;
  /** For fault tests. Throws for a component that this cluster was started without. */
  component(name: ComponentName): Component<ComponentName>;
  /** The API server crashes and comes back on the same port. Resolves when it is ready again. */
  restartApiServer(): Promise<void>;
}
