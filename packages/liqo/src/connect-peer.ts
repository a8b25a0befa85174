import type { Client, Clock, Random } from '@liqo/kube';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';

/** Connects with a kubeconfig that came from somebody else: nothing it names is run or read. */
export function peerConnector(options: {
  readonly clock: Clock;
  readonly random: Random;
}): (kubeconfig: string) => Promise<Client> {
  return async (kubeconfig) =>
    connectKubeconfig(parseKubeconfig(kubeconfig, 'the kubeconfig of the peer'), {
      ...options,
      files: 'forbidden',
      execPlugins: 'forbidden',
    });
}
