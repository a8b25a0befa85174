import type { Clock, Random } from '@liqo/kube';
import { peerConnector, runLiqo } from '@liqo/liqo';
import type { ImageRegistry, ProgramContext } from '@liqo/minicluster';
import { connectInContainer } from './connect-in-container.ts';

/** What manifests call the image that runs as a function of this process. */
export const liqoImage = 'localhost/liqo:dev';

/** The product's own image for the nodes of an embedded cluster: its containers run for real, in this process. */
export function liqoImages(options: {
  readonly clock: Clock;
  readonly random: Random;
}): ImageRegistry {
  const { clock, random } = options;
  const run = (container: ProgramContext) => {
    const { env, stdout, stderr, signal, args } = container;
    return runLiqo(args, {
      env,
      clock,
      random,
      stdout,
      stderr,
      signal,
      connectHome: (userAgent) => connectInContainer(container, { clock, random, userAgent }),
      connectPeer: peerConnector({ clock, random }),
      // The addresses of embedded pods exist in no network: what they serve is on loopback.
      kubeletAddress: { host: '127.0.0.1', port: 0 },
      isProcess: false,
    });
  };
  return new Map([[liqoImage, run]]);
}
