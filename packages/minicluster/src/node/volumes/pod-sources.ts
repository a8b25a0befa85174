import { type Client, ConfigMap, Secret } from '@liqo/kube';
import type { TokenCache } from './token-cache.ts';

/** Texts by key, of a config map or secret. */
export type Texts = ReadonlyMap<string, string>;

/** What pods take from other objects. Undefined when there is no such object. */
export class PodSources {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #tokens: TokenCache;
  readonly #signal: AbortSignal;

  constructor(client: Client, namespace: string, tokens: TokenCache, signal: AbortSignal) {
    this.#client = client;
    this.#namespace = namespace;
    this.#tokens = tokens;
    this.#signal = signal;
  }

  async configMap(name: string): Promise<Texts | undefined> {
    const key = { namespace: this.#namespace, name };
    const found = await this.#client.get(ConfigMap, key, this.#signal);
    if (!found) return undefined;
    const binary = Object.entries(found.binaryData ?? {});
    return new Map([
      ...Object.entries(found.data ?? {}),
      ...binary.map(([name, text]) => [name, fromBase64(text)] as const),
    ]);
  }

  async secret(name: string): Promise<Texts | undefined> {
    const key = { namespace: this.#namespace, name };
    const found = await this.#client.get(Secret, key, this.#signal);
    if (!found) return undefined;
    const data = Object.entries(found.data ?? {});
    return new Map(data.map(([name, text]) => [name, fromBase64(text)]));
  }

  /** The same until it is time for another. */
  token(serviceAccount: string, spec: Parameters<Client['createToken']>[1]): Promise<string> {
    const account = { namespace: this.#namespace, name: serviceAccount };
    return this.#tokens.get(account, spec, this.#signal);
  }
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString('utf8');
}
