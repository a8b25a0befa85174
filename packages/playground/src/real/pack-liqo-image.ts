import { join } from 'node:path';
import { liqoImage, packImage, programBundle } from '@liqo/images';
import { build } from 'esbuild';

/** Packs the image of the product, from the sources as they are, into a folder; resolves with the path of the archive. */
export async function packLiqoImage(folder: string): Promise<string> {
  const bundle = join(folder, 'liqo.mjs');
  const archive = join(folder, 'liqo.tar');
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: ['@liqo/liqo/bin'],
    outfile: bundle,
    ...programBundle,
  });
  await packImage(await liqoImage({ bundle }), archive);
  return archive;
}
