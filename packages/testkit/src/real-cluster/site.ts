import { apiServerHosts } from './control-plane-flags.ts';
import { chooseFreePort } from './free-port.ts';
import { apiServerAddresses } from './network/address-plan.ts';
import type { ClusterNetwork } from './network/cluster-network.ts';

/** Where a control plane runs. */
export interface Site {
  /** Where the API server is found, and where it listens. */
  readonly address: string;
  readonly bindAddress: string;
  readonly choosePort: () => Promise<number>;
  /** What its certificate has to cover. */
  readonly hosts: readonly string[];
  readonly podRange: string;
  /** The beginning of a command line whose rest is executed there. */
  readonly entrance: readonly string[];
}

/** Among the other programs of this machine. */
export function loopbackSite(choosePort?: () => Promise<number>): Site {
  const address = '127.0.0.1';
  return {
    address,
    bindAddress: address,
    choosePort: choosePort ?? (() => chooseFreePort(address)),
    hosts: [...apiServerHosts, address],
    podRange: '10.244.0.0/16',
    entrance: [],
  };
}

/** In a network of its own, where every port is free. */
export function networkSite({ addresses, machine }: ClusterNetwork): Site {
  return {
    address: addresses.apiServer,
    bindAddress: '0.0.0.0',
    choosePort: async () => apiServerPort,
    hosts: [...apiServerHosts, ...apiServerAddresses(addresses)],
    podRange: addresses.pods,
    entrance: machine.entrance,
  };
}

export const apiServerPort = 6443;
