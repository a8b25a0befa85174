import type { Random } from '@liqo/kube';
import { internalError } from '../../rest/refusal.ts';

const lowest = 30_000;
const highest = 32_767;

/** The ports that are open on every node, each held by at most one owner. */
export class PortPool {
  readonly #random: Random;
  readonly #owners = new Map<number, string>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** All ports an owner wants to have. What it held and does not take again is free once it commits. */
  claim(owner: string): PortClaim {
    return new PortClaim(owner, this.#owners, this.#random);
  }

  release(owner: string): void {
    this.claim(owner).commit();
  }
}

class PortClaim {
  readonly #owner: string;
  readonly #owners: Map<number, string>;
  readonly #random: Random;
  readonly #taken = new Set<number>();

  constructor(owner: string, owners: Map<number, string>, random: Random) {
    this.#owner = owner;
    this.#owners = owners;
    this.#random = random;
  }

  /** A port that nobody holds, this owner included. */
  any(): number {
    const size = highest - lowest + 1;
    const start = Math.floor(this.#random() * size);
    for (let i = 0; i < size; i++) {
      const port = lowest + ((start + i) % size);
      if (!this.#owners.has(port) && !this.#taken.has(port)) return port;
    }
    throw internalError('failed to allocate a nodePort: range is full');
  }

  /** `refuse` makes the error when it cannot be had. Two protocols can share a port of the same owner. */
  take(port: number, refuse: (fault: string) => Error): void {
    const holder = this.#owners.get(port);
    if (holder !== undefined && holder !== this.#owner) {
      throw refuse('provided port is already allocated');
    }
    if (port < lowest || port > highest) {
      const range = `The range of valid ports is ${lowest}-${highest}`;
      throw refuse(`provided port is not in the valid range. ${range}`);
    }
    this.#taken.add(port);
  }

  commit(): void {
    for (const [port, holder] of this.#owners) {
      if (holder === this.#owner) this.#owners.delete(port);
    }
    for (const port of this.#taken) this.#owners.set(port, this.#owner);
  }
}
