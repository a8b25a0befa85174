import { type Client, type Clock, Node, type Stored } from '@liqo/kube';
import type { KindReader } from '../kind-reader.ts';
import { type Informer, startInformer } from './informer.ts';

interface FollowParts {
  readonly reader?: KindReader | undefined;
  readonly clock: Clock;
}

/** The object of the node that an agent speaks for, followed as others change it. */
export class OwnNode {
  readonly #client: Client;
  readonly #name: string;
  #newest: Stored<Node> | undefined;

  constructor(client: Client, name: string) {
    this.#client = client;
    this.#name = name;
  }

  /** As it was last heard of; what is deleted is remembered. Throws before it is followed. */
  get newest(): Stored<Node> {
    if (this.#newest) return this.#newest;
    throw new Error(`Cannot judge pods of node "${this.#name}": it is not registered yet`);
  }

  /** As it is now, if that can be found out. */
  async fetch(signal: AbortSignal): Promise<Stored<Node>> {
    const found = await this.#client.get(Node, { name: this.#name }, signal).catch(() => undefined);
    this.#newest = found ?? this.#newest;
    return this.newest;
  }

  follow(
    { reader = this.#client, clock }: FollowParts,
    onChange: () => void,
    signal: AbortSignal,
  ): Promise<Informer<Node>> {
    const selection = { fieldSelector: `metadata.name=${this.#name}` };
    const options = {
      reader,
      clock,
      kind: Node,
      selection,
      onChange: (_: Stored<Node> | undefined, after: Stored<Node> | undefined) => {
        this.#newest = after ?? this.#newest;
        onChange();
      },
    };
    return startInformer(options, signal);
  }
}
