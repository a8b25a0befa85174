import type { NamespaceMap } from '@liqo/api';
import type { Client, ObjectKey } from '@liqo/kube';
import type { KubeletContext } from '../kubelet-context.ts';
import { ProviderHealth } from './provider-health.ts';
import { RemoteNamespaces } from './remote-namespaces.ts';

export interface ProviderObserver {
  readonly onPodChanged: (pod: ObjectKey) => void;
  readonly onNamespaceChanged: (namespace: string) => void;
  readonly onHealthChanged: () => void;
}

/** Everything that hangs on one connection to the provider: new credentials make a new one. */
export class ProviderSession implements AsyncDisposable {
  readonly client: Client;
  readonly health: ProviderHealth;
  readonly namespaces: RemoteNamespaces;

  constructor(context: KubeletContext, client: Client, observer: ProviderObserver) {
    const { clock, random } = context;
    this.client = client;
    this.health = new ProviderHealth({ client, clock, random, onChange: observer.onHealthChanged });
    this.namespaces = new RemoteNamespaces({ context, client, ...observer });
  }

  follow(map: NamespaceMap | undefined): Promise<void> {
    return this.namespaces.follow(map);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.health[Symbol.asyncDispose]();
    await this.namespaces[Symbol.asyncDispose]();
    await this.client[Symbol.asyncDispose]();
  }
}
