import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeImage, packImage } from '@liqo/images';
import { build } from 'esbuild';

export const liqoImageName = 'localhost/liqo:dev';

/** The image of the product, from the sources as they are. */
export async function packLiqoImage(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'liqo-bundle-'));
  try {
    const outfile = join(folder, 'liqo.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, '../../packages/liqo/bin/liqo.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      banner: {
        js: `#!/usr/bin/node\nimport { createRequire } from 'node:module';const require = createRequire(import.meta.url);`,
      },
    });
    await chmod(outfile, 0o755);
    const image = await nodeImage({ name: liqoImageName, folder });
    const link = { type: 'symlink', path: 'usr/bin/liqo', target: '/app/liqo.mjs' } as const;
    await packImage({ ...image, layers: [...image.layers, [link]] }, archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
