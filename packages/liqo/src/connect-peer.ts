import type { Client, Clock, Random } from '@liqo/kube';
import {
  connectKubeconfig,
  type KubeconfigTrust,
  parseKubeconfig,
  untrusted,
} from '@liqo/kube/node';

/** A kubeconfig with three certificates has 10 KB; parsing megabytes of YAML would block the process for seconds. */
const maxKubeconfigLength = 128 * 1024;

/** Plain HTTP, no verification and reserved addresses, but neither files nor programs, nor other users. */
const insecure: KubeconfigTrust = {
  ...untrusted,
  insecureServers: 'allowed',
  reservedAddresses: 'allowed',
};

/** How much of the memory of the process one list of a peer may take. */
const listLimits = {
  maxListBytes: 128 * 1024 * 1024,
  maxPageValues: 1_000_000,
  maxListValues: 5_000_000,
};

/**
 * Connects with a kubeconfig that came from a peer. `allowInsecure` is for clusters on one machine, as in the playground.
 */
export type ConnectPeer = (
  kubeconfig: string,
  options?: { readonly allowInsecure?: boolean },
) => Promise<Client>;

export function peerConnector(options: {
  readonly clock: Clock;
  readonly random: Random;
}): ConnectPeer {
  return async (kubeconfig, { allowInsecure = false } = {}) => {
    if (kubeconfig.length > maxKubeconfigLength) {
      const fact = `it exceeds ${maxKubeconfigLength} characters`;
      throw new Error(`Cannot use the kubeconfig of the peer: ${fact}`);
    }
    const parsed = parseKubeconfig(kubeconfig, 'the kubeconfig of the peer');
    const trust = allowInsecure ? insecure : untrusted;
    return connectKubeconfig(parsed, { ...options, trust, listLimits });
  };
}
