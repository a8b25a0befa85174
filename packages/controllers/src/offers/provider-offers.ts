import { Advertisement, advertisementName } from '@liqo/api';
import type { Client, KubeObject, ObjectKey } from '@liqo/kube';
import { type Informer, startInformer } from '@liqo/runtime';
import type { ControllerContext } from '../controller-context.ts';
import type { PeerLinks } from '../peers/peer-links.ts';

/** Where a provider keeps its offer for this cluster. */
export interface OfferSource {
  readonly provider: string;
  /** Of the provider. */
  readonly client: Client;
  /** Of the provider's own offer and nothing else. */
  readonly offers: Informer<Advertisement>;
  readonly remoteKey: ObjectKey;
  readonly localKey: ObjectKey;
}

/** Watches the offer of each provider that this cluster is connected to. */
export class ProviderOffers implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #sources = new Map<string, OfferSource>();
  readonly #onChange: (localKey: ObjectKey) => void;
  readonly #subscription: Disposable;
  #ending: Promise<void> = Promise.resolve();

  constructor(context: ControllerContext, links: PeerLinks, onChange: (key: ObjectKey) => void) {
    this.#context = context;
    this.#onChange = onChange;
    this.#subscription = links.subscribe((provider) => this.#follow(provider, links));
  }

  /** The provider that the tenant namespace of an offer is about. */
  of({ namespace, name }: ObjectKey): OfferSource | undefined {
    for (const source of this.#sources.values()) {
      const { localKey } = source;
      if (localKey.namespace === namespace && localKey.name === name) return source;
    }
    return undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscription[Symbol.dispose]();
    for (const provider of this.#sources.keys()) this.#end(provider);
    await this.#ending;
  }

  #follow(provider: string, links: PeerLinks): void {
    const link = links.of(provider);
    const known = this.#sources.get(provider);
    if (link && known?.client === link.client) return;
    this.#end(provider);
    if (!link) return;
    const { client, localNamespace, remoteNamespace } = link;
    const name = advertisementName(provider);
    const localKey = { namespace: localNamespace, name };
    const { clock, random } = this.#context;
    const offers = startInformer<Advertisement>({
      client,
      kind: Advertisement,
      clock,
      random,
      log: this.#context.log.with({ peer: provider }),
      selection: { namespace: remoteNamespace, fieldSelector: `metadata.name=${name}` },
    });
    const tell = (_: KubeObject) => this.#onChange(localKey);
    offers.subscribe({ onAdd: tell, onUpdate: tell, onDelete: tell });
    const remoteKey = { namespace: remoteNamespace, name };
    this.#sources.set(provider, { provider, client, offers, remoteKey, localKey });
    this.#onChange(localKey);
  }

  #end(provider: string): void {
    const source = this.#sources.get(provider);
    if (!source) return;
    this.#sources.delete(provider);
    const ended = source.offers[Symbol.asyncDispose]();
    this.#ending = this.#ending.then(() => ended);
  }
}
