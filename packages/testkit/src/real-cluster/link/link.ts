import type { Machine } from '../machine/machine.ts';
import type { ClusterNetwork } from '../network/cluster-network.ts';
import { nodeEnvironment } from '../node/node-assets.ts';
import type { RealCluster } from '../real-cluster.ts';
import {
  checkFaults,
  type LinkEnd,
  type LinkFaults,
  type LinkState,
  printFirewall,
  printQueue,
} from './link-faults.ts';
import { removeLinkNetwork, startLinkNetwork } from './link-network.ts';
import { Wire } from './wire.ts';

/**
 * Connects the networks of two clusters: machines and pods of each reach those of the other, and its API server by
 * `serverFrom`. Before, and once the link is disposed, they do not. It ends with either of them, too.
 */
export async function link(a: RealCluster, b: RealCluster): Promise<Link> {
  const networks = networksOf(a, b);
  const { folder, assets } = a;
  const router = await startLinkNetwork({ folder, ...networks });
  const wire = new Wire(router, `wire-${networks.b.addresses.index}`, folder);
  const made = new Link({ router, wire, assets, networks, ends: { a, b } });
  await made.restore();
  networks.a.neighbours.add(networks.b);
  networks.b.neighbours.add(networks.a);
  return made;
}

function networksOf(a: RealCluster, b: RealCluster): Readonly<Record<LinkEnd, ClusterNetwork>> {
  const fact = (text: string) =>
    new Error(`Cannot link clusters "${a.name}" and "${b.name}": ${text}`);
  if (!a.network || !b.network || a.network === b.network)
    throw fact('it takes two, each started with nodes');
  if (a.network.neighbours.has(b.network)) throw fact('they are linked already');
  return { a: a.network, b: b.network };
}

interface LinkParts {
  readonly router: Machine;
  readonly wire: Wire;
  readonly assets: string;
  readonly networks: Readonly<Record<LinkEnd, ClusterNetwork>>;
  readonly ends: Readonly<Record<LinkEnd, RealCluster>>;
}

/**
 * The way between two clusters, and what a test may do to it. Faults are of one direction when it is said from which
 * cluster, otherwise of both. They hit whatever passes: the packets of connections that are open already, too.
 */
export class Link implements AsyncDisposable {
  readonly #parts: LinkParts;
  #state: LinkState = { a: {}, b: {} };

  constructor(parts: LinkParts) {
    this.#parts = parts;
  }

  /** Packets vanish. Nobody is told, as when a cable is dug up far away. */
  cut(from?: RealCluster): Promise<void> {
    return this.#add({ cut: true }, from);
  }

  /** Packets arrive that much later, in their order. */
  delay(delayMs: number, from?: RealCluster): Promise<void> {
    return this.#add({ delayMs }, from);
  }

  /** A share of the packets, from 0 to 1, vanishes. */
  lose(loss: number, from?: RealCluster): Promise<void> {
    return this.#add({ loss }, from);
  }

  /** No more than this passes. A short queue forms, and what does not fit vanishes. */
  narrow(bitsPerSecond: number, from?: RealCluster): Promise<void> {
    return this.#add({ bitsPerSecond }, from);
  }

  /** As if nothing had ever been done to it. */
  async restore(from?: RealCluster): Promise<void> {
    await this.#apply(this.#change(() => ({}), from));
  }

  /** Every TCP connection that is open now is reset, at both of its ends, in the middle of whatever it does. */
  reset(): Promise<void> {
    return this.#parts.wire.reset();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { router, networks } = this.#parts;
    networks.a.neighbours.delete(networks.b);
    networks.b.neighbours.delete(networks.a);
    await removeLinkNetwork(router, networks);
  }

  async #add(faults: LinkFaults, from: RealCluster | undefined): Promise<void> {
    checkFaults(faults);
    await this.#apply(this.#change((before) => ({ ...before, ...faults }), from));
  }

  #change(next: (before: LinkFaults) => LinkFaults, from: RealCluster | undefined): LinkState {
    const { a, b } = this.#state;
    if (from === undefined) return { a: next(a), b: next(b) };
    if (from === this.#parts.ends.a) return { a: next(a), b };
    if (from === this.#parts.ends.b) return { a, b: next(b) };
    throw new Error(`Cannot change a link: cluster "${from.name}" is on neither end`);
  }

  async #apply(state: LinkState): Promise<void> {
    const { router, wire, assets } = this.#parts;
    this.#state = state;
    const queues = [printQueue('a', state.a), printQueue('b', state.b)];
    await router.run(['tc', '-batch', '-'], { input: `${queues.join('\n')}\n` });
    const env = nodeEnvironment(assets);
    await router.run(['nft', '--file', '-'], { input: printFirewall(state), env });
    await wire.setDelays({ a: state.a.delayMs ?? 0, b: state.b.delayMs ?? 0 });
  }
}
