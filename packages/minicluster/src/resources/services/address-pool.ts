import type { Random } from '@liqo/kube';
import { internalError } from '../../rest/refusal.ts';

/** The IPv4 addresses of a range, each held by at most one owner. The first and the last are nobody's. */
export class AddressPool {
  readonly #first: number;
  readonly #size: number;
  readonly #random: Random;
  readonly #owners = new Map<string, string>();
  readonly #held = new Map<string, string>();

  constructor(cidr: string, random: Random) {
    const [network = '', prefix = '32'] = cidr.split('/');
    this.#first = toNumber(network) + 1;
    this.#size = 2 ** (32 - Number(prefix)) - 2;
    this.#random = random;
  }

  /** The address asked for, the one already held, or any. `refuse` makes the error when it cannot be had. */
  hold(owner: string, asked: string | undefined, refuse: (fault: string) => Error): string {
    const current = this.#held.get(owner);
    const address = asked || current || this.#any();
    if (address === current) return address;
    if (!this.#contains(address)) {
      throw refuse('the provided network does not match the current range');
    }
    if (this.#owners.has(address)) throw refuse('provided IP is already allocated');
    this.release(owner);
    this.#owners.set(address, owner);
    this.#held.set(owner, address);
    return address;
  }

  isHolder(owner: string): boolean {
    return this.#held.has(owner);
  }

  release(owner: string): void {
    const address = this.#held.get(owner);
    if (address === undefined) return;
    this.#held.delete(owner);
    this.#owners.delete(address);
  }

  #contains(address: string): boolean {
    const offset = toNumber(address) - this.#first;
    return offset >= 0 && offset < this.#size;
  }

  /** From a random place on, the next that is free. */
  #any(): string {
    const start = Math.floor(this.#random() * this.#size);
    for (let i = 0; i < this.#size; i++) {
      const address = toAddress(this.#first + ((start + i) % this.#size));
      if (!this.#owners.has(address)) return address;
    }
    throw internalError('failed to allocate a serviceIP: range is full');
  }
}

function toNumber(address: string): number {
  return address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}

function toAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
