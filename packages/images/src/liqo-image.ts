import { stat } from 'node:fs/promises';
import type { FileEntry } from './entry.ts';
import { type Image, ownArchitecture } from './image.ts';
import { nodePath, nodeRuntime, nodeUser } from './node-image.ts';
import { textEntry } from './text-entry.ts';

const liqoImageName = 'localhost/liqo:dev';

const bundlePath = 'app/liqo.mjs';
const billPath = 'usr/share/liqo/sbom.spdx.json';

export interface LiqoImageOptions {
  readonly bundle: string;
  /** A file with the bill of what the bundle contains, as `forgeSoftwareBill` gives it. */
  readonly bill?: string | undefined;
}

/**
 * The image of the product: `/usr/bin/liqo` runs the bundle. There is no shell to start it with, and the name of a command
 * does not tell Node that it is a module: so the command is a script of one line, which loads it.
 */
export async function liqoImage(
  { bundle, bill }: LiqoImageOptions,
  signal?: AbortSignal,
): Promise<Image> {
  const command = textEntry('usr/bin/liqo', `#!${nodePath}\nimport('/${bundlePath}');\n`);
  return {
    name: liqoImageName,
    architecture: ownArchitecture(),
    config: { entrypoint: ['/usr/bin/liqo'], env: { PATH: '/usr/bin' }, user: nodeUser },
    layers: [
      await nodeRuntime(signal),
      [
        await copyEntry(bundle, bundlePath),
        { ...command, mode: 0o755 },
        ...(bill === undefined ? [] : [await copyEntry(bill, billPath)]),
      ],
    ],
  };
}

async function copyEntry(file: string, path: string): Promise<FileEntry> {
  const { size } = await stat(file);
  return { type: 'file', path, mode: 0o644, content: [{ file, start: 0, size }] };
}
