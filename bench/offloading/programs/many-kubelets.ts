import { setMaxListeners } from 'node:events';
import { parseArgs } from 'node:util';
import { tenantNamespaceName } from '@liqo/api';
import type { Client } from '@liqo/kube';
import { connectKubeconfig, loadKubeconfig } from '@liqo/kube/node';
import { peerConnector } from '@liqo/liqo';
import {
  createLogger,
  ownProcess,
  startEventRecorder,
  startMemoryKeeper,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { OwnAddresses, startVirtualKubelet } from '@liqo/virtual-kubelet';

/** Several virtual nodes in one process, with one connection to their own cluster. */
setMaxListeners(0);
const { values } = parseArgs({ options: { nodenames: { type: 'string' } } });
const [clock, random] = [systemClock, systemRandom];
const log = createLogger({ level: 'info', name: 'kubelets', clock, destination: process.stderr });
const local = await connectKubeconfig(await loadKubeconfig(), { clock, random });
const reporter = { controller: 'liqo.io/virtual-kubelet', instance: 'kubelets' };
const startEvents = (client: Client) =>
  startEventRecorder({ client, clock, random, log, reporter });

const memory = startMemoryKeeper({ clock, log, process: ownProcess });

const addresses = new OwnAddresses({ client: local, clock, random, log });

const connectPeer = peerConnector({ clock, random });

const kubelets = (values.nodenames ?? '').split(',').map((name) =>
  startVirtualKubelet({
    local,
    virtualNode: { namespace: tenantNamespaceName('milan'), name },
    kubeconfigSecretName: `kubeconfig-resourceslice-${name}`,
    liqoNamespace: 'liqo',
    consumerClusterID: 'rome',
    providerClusterID: 'milan',
    clock,
    random,
    log,
    startEvents,
    // The provider of a benchmark is at a loopback address.
    connectProvider: (kubeconfig) => connectPeer(kubeconfig, { allowInsecure: true }),
    identity: `kubelets-${name}`,
    createNode: true,
    podWorkers: 32,
    node: { address: '127.0.0.1', extras: { labels: {}, annotations: {} }, checkNetwork: true },
    endpoint: { host: '127.0.0.1', port: 0, certificateType: 'self-signed' },
    addresses,
  }),
);

process.once('SIGTERM', async () => {
  await Promise.all(kubelets.map((kubelet) => kubelet[Symbol.asyncDispose]()));
  await addresses[Symbol.asyncDispose]();
  await local[Symbol.asyncDispose]();
  memory[Symbol.dispose]();
});
