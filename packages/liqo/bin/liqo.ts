import { setMaxListeners } from 'node:events';
import { connectClient, loadKubeconfig, resolveConnection, selectContext } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { peerConnector } from '../src/connect-peer.ts';
import { runLiqo } from '../src/run-liqo.ts';

// Many calls at a time listen to one signal: as many as there is work.
setMaxListeners(0);

const clock = systemClock;
const random = systemRandom;
const stop = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort());

process.exitCode = await runLiqo(process.argv.slice(2), {
  env: process.env,
  clock,
  random,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  connectHome: async ({ kubeconfigPath: path, ...caller }) => {
    const selected = selectContext(await loadKubeconfig(path ? { path } : {}));
    return connectClient(await resolveConnection(selected, { clock }), {
      clock,
      random,
      ...caller,
    });
  },
  connectPeer: peerConnector({ clock, random }),
  isProcess: true,
});
