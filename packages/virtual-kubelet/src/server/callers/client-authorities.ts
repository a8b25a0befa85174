import { X509Certificate } from 'node:crypto';
import { type Client, type Clock, ConfigMap, type Random } from '@liqo/kube';
import { type Informer, type Logger, startInformer } from '@liqo/runtime';

const namespace = 'kube-system';
const name = 'extension-apiserver-authentication';
const key = 'client-ca-file';

/** Whose client certificates count: what the API server itself publishes, as it is now. */
export class ClientAuthorities implements AsyncDisposable {
  readonly #configMaps: Informer<ConfigMap>;
  readonly #log: Logger;
  #text: string | undefined;
  #authorities: readonly X509Certificate[] = [];

  constructor(parts: {
    readonly client: Client;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Logger;
  }) {
    this.#log = parts.log;
    this.#configMaps = startInformer({
      ...parts,
      kind: ConfigMap,
      selection: { namespace, fieldSelector: `metadata.name=${name}` },
    });
    const follow = ({ data }: ConfigMap) => this.#follow(data?.[key]);
    this.#configMaps.subscribe({
      onAdd: follow,
      onUpdate: (_, after) => follow(after),
      onDelete: () => this.#follow(undefined),
    });
  }

  /** None when they are not known: then no certificate counts. */
  get current(): readonly X509Certificate[] {
    return this.#authorities;
  }

  whyUnknown(): string {
    return `the ConfigMap "${namespace}/${name}" has not shown a usable "${key}"`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#configMaps[Symbol.asyncDispose]();
  }

  #follow(text: string | undefined): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#authorities = readAuthorities(text ?? '', (cause) => {
      this.#log.warn('Cannot use a certificate of the client CA', { err: cause });
    });
    this.#log.info('Follows the client CA of the cluster', {
      certificates: this.#authorities.length,
    });
  }
}

/** All certificates of a bundle that can be read. */
function readAuthorities(
  bundle: string,
  onUnreadable: (cause: unknown) => void,
): readonly X509Certificate[] {
  const blocks = bundle.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch (error) {
      onUnreadable(error);
      return [];
    }
  });
}
