/**
 * `npm run clusters [-- NODES --image FILE --dir FOLDER]`: starts two whole clusters, linked, with images for workloads in
 * them, prints how to use them, and removes them on Ctrl-C.
 */
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { busyboxImage, busyboxImageName, packImage } from '@liqo/images';
import { link, type RealCluster, startRealCluster } from '@liqo/testkit/real-cluster';
import { KubeconfigFiles } from '../packages/playground/src/start/kubeconfig-files.ts';
import { PlaygroundError } from '../packages/playground/src/start/playground-error.ts';
import { type ClustersOptions, parseOptions, usage } from './clusters/parse-options.ts';

const interruptedExitCode = 130;
const names = ['rome', 'milan'] as const;
const say = (line: string) => process.stdout.write(`${line}\n`);

type Pair = readonly [rome: RealCluster, milan: RealCluster];

async function start({ nodes, images }: ClustersOptions, signal: AbortSignal): Promise<Pair> {
  const [first, second] = names;
  const clusters = await Promise.all([
    startRealCluster({ name: first, nodes }, signal),
    startRealCluster({ name: second, nodes }, signal),
  ]);
  await link(...clusters);
  const [{ assets, folder }] = clusters;
  const busybox = join(folder, 'busybox.tar');
  await packImage(await busyboxImage(join(assets, 'nodes/bin/busybox')), busybox);
  for (const archive of [busybox, ...images]) {
    await Promise.all(clusters.map((cluster) => cluster.loadImage(archive)));
  }
  return clusters;
}

/** The first cluster by its own address; the second by one that pods of the first reach, too. */
async function writeKubeconfigs([rome, milan]: Pair, files: KubeconfigFiles): Promise<void> {
  const admin = { name: 'admin', groups: ['system:masters'] };
  files.write(rome.name, rome.kubeconfigText);
  files.write(milan.name, await milan.kubeconfigFor(admin, rome));
}

function explain(clusters: Pair, files: KubeconfigFiles | undefined, seconds: number): void {
  say(`Two clusters, started in ${seconds.toFixed(1)} s:`);
  for (const { name, kubeconfig, assets } of clusters) {
    say(`  alias ${name}='${assets}/kubectl --kubeconfig ${files?.pathOf(name) ?? kubeconfig}'`);
  }
  say(`Images without pulling: ${busyboxImageName}, with imagePullPolicy: Never`);
  say('Pods of each reach pods of the other. Ctrl-C removes everything.');
}

/** Until Ctrl-C. Clusters do not keep a process alive, so a timer has to. */
async function untilInterrupted(signal: AbortSignal): Promise<void> {
  const alive = setInterval(() => undefined, 60_000);
  if (!signal.aborted) await once(signal, 'abort');
  clearInterval(alive);
}

/** Before anything is started: an image is needed only once the clusters run, half a minute later. */
function checkImages(images: readonly string[]): void {
  for (const file of images) {
    try {
      accessSync(file, constants.R_OK);
    } catch (cause) {
      const message = `Cannot load the image "${file}": there is no such file, or you may not read it`;
      const hint = 'Pack the image of this project with "npm run image": dist/liqo-image.tar';
      throw new PlaygroundError(message, { hint, cause });
    }
  }
}

async function run(options: ClustersOptions, signal: AbortSignal): Promise<void> {
  const started = performance.now();
  checkImages(options.images);
  using files = options.dir === undefined ? undefined : new KubeconfigFiles(options.dir, names);
  const clusters = await start(options, signal);
  if (files) await writeKubeconfigs(clusters, files);
  explain(clusters, files, (performance.now() - started) / 1_000);
  await untilInterrupted(signal);
  await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
}

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options.help) process.stdout.write(usage);
    else await run(options, signal);
    return 0;
  } catch (error) {
    if (signal.aborted) return interruptedExitCode;
    const { message, hint, exitCode = 1 } = error as Partial<PlaygroundError>;
    process.stderr.write(`${message ?? String(error)}${hint ? `. ${hint}` : ''}\n`);
    return exitCode;
  }
}

const interruption = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => interruption.abort());
}
process.exitCode = await main(process.argv.slice(2), interruption.signal);
