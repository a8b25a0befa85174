/**
 * `npm run clusters [-- <nodes>]`: starts two whole clusters, linked, with an image for workloads in them, prints how to
 * use them, and removes them on Ctrl-C.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { busyboxImage, busyboxImageName, packImage } from '@liqo/images';
import { link, type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';

const interruptedExitCode = 130;
const say = (line: string) => process.stdout.write(`${line}\n`);

async function start(nodes: number, signal: AbortSignal): Promise<readonly RealCluster[]> {
  const clusters = await Promise.all([
    startRealCluster({ name: 'one', nodes }, signal),
    startRealCluster({ name: 'two', nodes }, signal),
  ]);
  await link(...clusters);
  const [{ assets, folder }] = clusters;
  const archive = join(folder, 'busybox.tar');
  await packImage(await busyboxImage(join(assets, 'nodes/bin/busybox')), archive);
  await Promise.all(clusters.map((cluster) => cluster.loadImage(archive)));
  return clusters;
}

function explain(clusters: readonly RealCluster[], seconds: number): void {
  say(`Two clusters, started in ${seconds.toFixed(1)} s:`);
  for (const { name, kubeconfig, assets } of clusters) {
    say(`  alias ${name}='${assets}/kubectl --kubeconfig ${kubeconfig}'`);
  }
  say(`Images without pulling: ${busyboxImageName}, with imagePullPolicy: Never`);
  say('Pods of each reach pods of the other. Ctrl-C removes everything.');
}

/** Until somebody interrupts us. Clusters do not keep a process alive, so a timer has to. */
async function untilInterrupted(signal: AbortSignal): Promise<void> {
  const alive = setInterval(() => undefined, 60_000);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(alive);
}

async function main(nodes: number, signal: AbortSignal): Promise<number> {
  const started = performance.now();
  try {
    const clusters = await start(nodes, signal);
    explain(clusters, (performance.now() - started) / 1_000);
    await untilInterrupted(signal);
    await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
    return 0;
  } catch (error) {
    if (signal.aborted) return interruptedExitCode;
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interruption.abort());
}
process.exitCode = await main(Number(process.argv[2] ?? 1), interruption.signal);
