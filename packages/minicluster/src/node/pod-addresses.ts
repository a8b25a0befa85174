/** The addresses of a node's pods: the range of the node but for its first two and its last. */
export class PodAddresses {
  readonly #base: number;
  readonly #size: number;
  readonly #taken = new Set<number>();
  #next = firstHost;

  /** Throws when the text is not an IPv4 range such as `10.244.1.0/24`. */
  constructor(range: string) {
    const [, address, bits] = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(range) ?? [];
    const size = 2 ** (32 - Number(bits));
    if (!address || !(Number(bits) <= 29)) {
      throw new Error(`Cannot use pod range "${range}": use an IPv4 range such as 10.244.1.0/24`);
    }
    const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    this.#base = number - (number % size);
    this.#size = size;
  }

  /** Addresses that were given back are given again as late as possible. */
  take(): string {
    for (let tried = firstHost; tried < this.#size - 1; tried++) {
      const offset = this.#next;
      this.#next = offset + 1 < this.#size - 1 ? offset + 1 : firstHost;
      if (this.#taken.has(offset)) continue;
      this.#taken.add(offset);
      return formatAddress(this.#base + offset);
    }
    throw new Error('Cannot give the pod an address: the range of the node is used up');
  }

  release(address: string): void {
    const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    this.#taken.delete(number - this.#base);
  }
}

const firstHost = 2;

function formatAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}
