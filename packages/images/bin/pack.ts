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

const usage = `Usage: pack.ts <image> <out.tar> [--name <registry/name:tag>] [--gzip]
  pause     [--arch amd64|arm64]
  busybox   [--busybox <static program>]   (default: the one in KUBEBUILDER_ASSETS)
  liqo      --bundle <liqo.mjs>
  node      --folder <folder of bundles> [--cmd <program>]
`;

const options = {
  arch: { type: 'string' },
  bundle: { type: 'string' },
  busybox: { type: 'string' },
  cmd: { type: 'string', multiple: true },
  folder: { type: 'string' },
  gzip: { type: 'boolean' },
  name: { type: 'string' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

/** Nothing when something that the image needs was not said. */
async function chooseImage(image: string | undefined, given: Options): Promise<Image | undefined> {
  const { arch, bundle, folder, cmd, name = 'localhost/node:1' } = given;
  if (image === 'pause' && (arch === 'amd64' || arch === 'arm64' || arch === undefined)) {
    return pauseImage(arch);
  }
  const assets = process.env.KUBEBUILDER_ASSETS;
  const busybox = given.busybox ?? (assets && join(assets, 'nodes/bin/busybox'));
  if (image === 'busybox' && busybox) return busyboxImage(busybox);
  if (image === 'liqo' && bundle) return liqoImage(bundle);
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
  const { id, digest, size } = await packImage(named, path, { gzip: values.gzip ?? false });
  process.stdout.write(`${named.name}\n  archive ${path}, ${size} bytes\n`);
  process.stdout.write(`  id      ${id}\n  digest  ${digest}\n`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
