/**
 * `tsx packages/images/bin/pack.ts <image> <out.tar>`: packs one of the images, and prints what became of it.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { busyboxImage } from '../src/busybox-image.ts';
import type { Image } from '../src/image.ts';
import { liqoImage } from '../src/liqo-image.ts';
import { nodeImage } from '../src/node-image.ts';
import { packImage } from '../src/pack-image.ts';
import { pauseImage } from '../src/pause-image.ts';
import { writeFolder } from '../src/write-folder.ts';

const usage = `Usage: pack.ts <image> <out.tar> [--name <registry/name:tag>] [--gzip] [--unpacked]
  pause     [--arch amd64|arm64]
  busybox   [--busybox <static program>]   (default: the one in KUBEBUILDER_ASSETS)
  liqo      --bundle <liqo.mjs> [--bill <liqo.spdx.json>]
  node      --folder <folder of bundles> [--cmd <program>]
`;

const options = {
  arch: { type: 'string' },
  bill: { type: 'string' },
  bundle: { type: 'string' },
  busybox: { type: 'string' },
  cmd: { type: 'string', multiple: true },
  folder: { type: 'string' },
  gzip: { type: 'boolean' },
  name: { type: 'string' },
  unpacked: { type: 'boolean' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Nothing when something that the image needs was not said. */
async function chooseImage(image: string | undefined, given: Options): Promise<Image | undefined> {
  const { arch, bill, bundle, folder, cmd, name = 'localhost/node:1' } = given;
  if (image === 'pause' && (arch === 'amd64' || arch === 'arm64' || arch === undefined)) {
    return pauseImage(arch);
  }
  const assets = process.env.KUBEBUILDER_ASSETS;
  const busybox = given.busybox ?? (assets && join(assets, 'nodes/bin/busybox'));
  if (image === 'busybox' && busybox) return busyboxImage(busybox);
  if (image === 'liqo' && bundle) return liqoImage({ bundle, bill });
  if (image === 'node' && folder) return nodeImage({ name, folder, ...(cmd ? { cmd } : {}) });
  return undefined;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [what, path, ...rest] = positionals;
  const image = await chooseImage(what, values);
  if (!image || !path || rest.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  const named = { ...image, name: values.name ?? image.name };
  if (values.unpacked) {
    await writeFolder(named, path);
    process.stdout.write(`${named.name}\n  folder  ${path}\n`);
    return 0;
  }
  const { id, digest, size } = await packImage(named, path, { gzip: values.gzip ?? false });
  process.stdout.write(`${named.name}\n  archive ${path}, ${size} bytes\n`);
  process.stdout.write(`  id      ${id}\n  digest  ${digest}\n`);
  if (what === 'liqo') process.stdout.write(waysToUse(named.name, path));
  return 0;
}

/** The archive is one of Docker and an OCI layout at once, so each of these takes it as it is. */
function waysToUse(name: string, path: string): string {
  const ways = [
    ['kind', `kind load image-archive ${path}`],
    ['k3d', `k3d image import ${path}`],
    ['minikube', `minikube image load ${path}`],
    ['containerd', `ctr --namespace k8s.io images import ${path}`],
    ['Docker', `docker load --input ${path}`],
    ['a registry', `skopeo copy oci-archive:${path}:${name} docker://REGISTRY/liqo:TAG`],
  ] as const;
  const lines = ways.map(([where, command]) => `  ${where.padEnd(12)}${command}\n`);
  return `\nTo use it in, or push it to:\n${lines.join('')}`;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
