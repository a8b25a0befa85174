import { parentPort, workerData } from 'node:worker_threads';
import { connectKubeconfig, parseKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { type Application, startApplication } from '../start-application.ts';

/** Starts the applications it is told of and tells how long each took; told of none, it leaves. */
const client = await connectKubeconfig(parseKubeconfig(workerData, 'kubeconfig'), {
  clock: systemClock,
  random: systemRandom,
});
parentPort?.on('message', async (application: Application | undefined) => {
  if (application) return parentPort?.postMessage(await startApplication(client, application));
  parentPort?.close();
  await client[Symbol.asyncDispose]();
});
