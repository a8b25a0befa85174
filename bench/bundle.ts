import { basename } from 'node:path';
import { programBundle } from '@liqo/images';
import { build } from 'esbuild';

/** Programs as the images have them, one file each, named after its source; with names that people can read for a profile. */
export async function bundle(entryPoints: readonly string[], outdir: string): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(entryPoints.map((path) => [basename(path, '.ts'), path])),
    outdir,
    outExtension: { '.js': '.mjs' },
    ...programBundle,
    minify: process.env.BENCH_PROFILES === undefined,
  });
}
