import type { NamespaceMap } from '@liqo/api';
import type { Client, ObjectKey } from '@liqo/kube';
import type { ProviderProblem } from '@liqo/model';
import type { KubeletContext } from '../kubelet-context.ts';
import { ProviderCheck } from './provider-check.ts';
import { ProviderHealth } from './provider-health.ts';
import { RemoteNamespaces } from './remote-namespaces.ts';

export interface ProviderObserver {
  readonly onPodChanged: (pod: ObjectKey) => void;
  readonly onNamespaceChanged: (namespace: string) => void;
  readonly onHealthChanged: () => void;
  /** Told when the namespaces, the connection or the VirtualNode have been looked at anew. */
  readonly onFollowed: () => void;
}

interface SessionObserver extends ProviderObserver {
  /** Whom the connection leads to is known, or other namespaces are refused: what follows from that is to be looked at. */
  readonly onChecked: () => void;
}

/** As long as the last good look at the provider may be ago. A watch that is lost for good reasons is back within seconds. */
const maxWatchSilenceMs = 25_000;

/** Everything that hangs on one connection to the provider: new credentials make a new one. */
export class ProviderSession implements AsyncDisposable {
  readonly client: Client;
  readonly health: ProviderHealth;
  readonly namespaces: RemoteNamespaces;
  readonly #check: ProviderCheck;

  constructor(context: KubeletContext, client: Client, observer: SessionObserver) {
    const { clock, random, providerClusterID } = context;
    this.client = client;
    this.namespaces = new RemoteNamespaces({ context, client, ...observer });
    this.#check = new ProviderCheck({
      client,
      providerClusterID,
      namespaces: () => this.namespaces.names,
      onChange: observer.onChecked,
    });
    this.health = new ProviderHealth({
      look: async (signal) => (await this.#check.look(signal)) ?? this.#findSilentWatch(),
      clock,
      random,
      onChange: observer.onHealthChanged,
    });
  }

  /** A provider that answers calls but no watch leaves the state of its pods unknown. */
  #findSilentWatch(): ProviderProblem | undefined {
    const silentForMs = this.namespaces.silentForMs(this.refusedNamespaces);
    if (silentForMs < maxWatchSilenceMs) return undefined;
    const why = `it has not answered a watch for ${Math.round(silentForMs / 1_000)} s`;
    return { type: 'silent', why };
  }

  /** The namespaces over there that are not granted, or not any more. */
  get refusedNamespaces(): readonly string[] {
    return this.#check.refused;
  }

  /** Nothing is looked at, let alone made, at a cluster that may not be the provider. */
  async follow(map: NamespaceMap | undefined): Promise<void> {
    if (this.#check.isIdentified) await this.namespaces.follow(map);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.health[Symbol.asyncDispose]();
    await this.namespaces[Symbol.asyncDispose]();
    await this.client[Symbol.asyncDispose]();
  }
}
