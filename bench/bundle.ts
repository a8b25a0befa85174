import { basename } from 'node:path';
import { build } from 'esbuild';

/** Programs as the images have them: one file each, named after its source. */
export async function bundle(entryPoints: readonly string[], outdir: string): Promise<void> {
  await build({
    entryPoints: Object.fromEntries(entryPoints.map((path) => [basename(path, '.ts'), path])),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: {
      js: `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);`,
    },
  });
}
