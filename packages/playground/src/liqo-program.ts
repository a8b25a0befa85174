import type { Clock, Random } from '@liqo/kube';
import { peerConnector, runLiqo } from '@liqo/liqo';
import { defaultValues, imageReference } from '@liqo/manifests';
import type { ProgramContext } from '@liqo/minicluster';
import { connectInContainer } from './connect-in-container.ts';

/** What manifests call the image that is a function of this process. */
export const liqoImage = imageReference(defaultValues.image);

const withPeers: ReadonlySet<string | undefined> = new Set([
  'controller-manager',
  'virtual-kubelet',
]);

/** The program of the product's containers on embedded nodes: they run for real, in this process. */
export function liqoProgram(options: {
  readonly clock: Clock;
  readonly random: Random;
}): (container: ProgramContext) => Promise<number> {
  const { clock, random } = options;
  const connectPeer = peerConnector({ clock, random });
  return (container: ProgramContext) => {
    const { env, stdout, stderr, signal, args } = container;
    const [command] = args;
    // The other embedded clusters are on loopback.
    const trust = withPeers.has(command) ? ['--allow-insecure-peers'] : [];
    return runLiqo([...args, ...trust], {
      env,
      clock,
      random,
      stdout,
      stderr,
      signal,
      connectHome: async ({ kubeconfigPath, ...caller }) => {
        if (kubeconfigPath) {
          throw new Error(
            `Cannot read the kubeconfig "${kubeconfigPath}": containers of embedded clusters connect with their ServiceAccount; leave out "--home-kubeconfig"`,
          );
        }
        return connectInContainer(container, { clock, random, ...caller });
      },
      connectPeer,
      // No network has the addresses of embedded pods. What they serve is on loopback, and the API server of the cluster routes there.
      kubeletAddress: { host: '127.0.0.1', port: 0 },
      isProcess: false,
    });
  };
}
