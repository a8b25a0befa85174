/**
 * The addresses of a cluster, all decided by one number that no other cluster on this machine has: so clusters can be
 * connected, and be reached from here. Machines are in 198.18.0.0/15, set aside for tests of networks, which no network
 * outside uses; pods never leave the namespaces.
 */
export interface AddressPlan {
  readonly index: number;
  /** Everything with a cable to the cluster's switch. */
  readonly machines: string;
  /** The switch, which is the way out for nodes, and the API server. */
  readonly apiServer: string;
  /** This machine, as a computer in the network of the cluster. */
  readonly host: string;
  /** Further addresses of the API server, one for every other cluster. */
  readonly apiServerAliases: string;
  readonly pods: string;
}

export const maxClusters = 100;
export const maxNodes = 100;

export function planAddresses(index: number): AddressPlan {
  return {
    index,
    machines: `198.18.${index}.0/24`,
    apiServer: `198.18.${index}.1`,
    host: `198.18.${index}.2`,
    apiServerAliases: `198.18.${index}.128/25`,
    pods: `10.${128 + index}.0.0/16`,
  };
}

/** The address by which cluster `from` reaches the API server, whose packets always pass through the network of `from`. */
export function apiServerAlias({ index }: AddressPlan, from: Pick<AddressPlan, 'index'>): string {
  return `198.18.${index}.${128 + from.index}`;
}

/** All addresses that the certificate of the API server has to cover. */
export function apiServerAddresses(plan: AddressPlan): readonly string[] {
  const others = Array.from({ length: maxClusters }, (_, index) => ({ index }));
  return [plan.apiServer, '127.0.0.1', ...others.map((other) => apiServerAlias(plan, other))];
}

/** The address of the nth node, counted from 0. */
export function nodeAddress({ index }: AddressPlan, nth: number): string {
  return `198.18.${index}.${10 + nth}`;
}

/** The addresses for pods of the nth node. */
export function nodePods({ index }: AddressPlan, nth: number): string {
  return `10.${128 + index}.${nth}.0/24`;
}
