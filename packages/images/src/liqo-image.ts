import { stat } from 'node:fs/promises';
import { type Image, ownArchitecture } from './image.ts';
import { nodePath, nodeRuntime, nodeUser } from './node-image.ts';
import { textEntry } from './text-entry.ts';

export const liqoImageName = 'localhost/liqo:dev';

const bundlePath = 'app/liqo.mjs';

/**
 * The image of the product: `/usr/bin/liqo` runs the bundle. There is no shell to start it with, and the name of a command
 * does not tell Node that it is a module: so the command is a script of one line, which loads it.
 */
export async function liqoImage(bundle: string, signal?: AbortSignal): Promise<Image> {
  const { size } = await stat(bundle);
  const command = textEntry('usr/bin/liqo', `#!${nodePath}\nimport('/${bundlePath}');\n`);
  return {
    name: liqoImageName,
    architecture: ownArchitecture(),
    config: { entrypoint: ['/usr/bin/liqo'], env: { PATH: '/usr/bin' }, user: nodeUser },
    layers: [
      await nodeRuntime(signal),
      [
        {
          type: 'file',
          path: bundlePath,
          mode: 0o644,
          content: [{ file: bundle, start: 0, size }],
        },
        { ...command, mode: 0o755 },
      ],
    ],
  };
}
