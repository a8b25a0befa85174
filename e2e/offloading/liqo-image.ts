import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { liqoImage, packImage } from '@liqo/images';
import { build } from 'esbuild';

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
        js: `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);`,
      },
    });
    await packImage(await liqoImage(outfile), archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
