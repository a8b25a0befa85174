import { parseArgs } from 'node:util';
import { connectClient, loadKubeconfig, resolveConnection, selectContext } from '@liqo/kube/node';
import {
  createLogger,
  fenceClient,
  onlyLeader,
  runDisposable,
  startManager,
  systemClock,
  systemRandom,
} from '@liqo/runtime';
import { startClassController } from './class-controller.ts';

/** Where it runs: in a cluster with its ServiceAccount, elsewhere with the kubeconfig of the person who starts it. */
const { values } = parseArgs({
  options: {
    class: { type: 'string', default: 'fair-share' },
    namespace: { type: 'string', default: 'liqo' },
    'health-port': { type: 'string', default: '8081' },
  },
});

const clock = systemClock;
const random = systemRandom;
const name = `liqo-class-${values.class}`;
const log = createLogger({ level: 'info', name, clock, destination: process.stderr });
const connection = await resolveConnection(selectContext(await loadKubeconfig({})), { clock });
await using client = await connectClient(connection, { clock, random, userAgent: name });

const manager = await startManager({
  clock,
  random,
  log,
  health: { port: Number(values['health-port']) },
  leaderElection: {
    client,
    lease: { namespace: values.namespace, name },
    identity: process.env.POD_NAME ?? `${name}-${process.pid}`,
  },
  runnables: [
    onlyLeader(
      runDisposable('class', (_signal, mayWrite) =>
        startClassController({
          className: values.class,
          client: fenceClient(client, mayWrite),
          clock,
          random,
          log,
        }),
      ),
    ),
  ],
});
await manager.done;
