import type { Client } from '@liqo/kube';
import type { User } from './certificate-authority.ts';
import type { Component, ComponentName } from './component.ts';

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
  /** The text of a kubeconfig for anybody else. */
  kubeconfigFor(user: User): Promise<string>;
  /** For fault tests. Throws for a component that this cluster was started without. */
  component(name: ComponentName): Component;
  /** The API server crashes and comes back on the same port. Resolves when it is ready again. */
  restartApiServer(): Promise<void>;
}
