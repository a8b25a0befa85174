import { BlockList } from 'node:net';

interface Route {
  readonly range: BlockList;
  readonly machine: string;
}

/**
 * Where the addresses of a cluster are. Node agents give their pods addresses from ranges that exist on paper only; the
 * programs of those pods run, and listen, on the machine of their node.
 */
export class ClusterRoutes {
  readonly #routes: Route[] = [];

  /** The pods of a range, such as `10.244.1.0/24`, are on a machine. */
  add(range: string, machine: string): void {
    const [address = '', bits = ''] = range.split('/');
    const block = new BlockList();
    block.addSubnet(address, Number(bits));
    this.#routes.push({ range: block, machine });
  }

  /** The machine behind an address on paper; undefined for an address that leads somewhere by itself. */
  machineOf(address: string): string | undefined {
    return this.#routes.find(({ range }) => range.check(address))?.machine;
  }

  /** Whether one of the cluster's own nodes is there. */
  isMachine(address: string): boolean {
    return this.#routes.some(({ machine }) => machine === address);
  }
}
