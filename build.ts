import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type ContainedPackage, forgeSoftwareBill, programBundle } from '@liqo/images';
import { build, type Metafile } from 'esbuild';

/**
 * `npm run build [-- FOLDER]`: each executable becomes one file in `dist/` or the given folder, with a bill of the packages in it (SPDX); those that must
 * load in a browser are bundled for one, which fails as soon as something of Node slips in.
 */
const root = import.meta.dirname;
const dist = process.argv[2] ?? join(root, 'dist');
const browserPackages = ['kube', 'api'];

for (const name of browserPackages) {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'packages', name, 'src/index.ts')],
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    write: false,
  });
  say(`${name} loads in a browser: ${kilobytes(outputFiles[0]?.contents.length ?? 0)}`);
}

for (const { name, entry } of await executables()) {
  const outfile = join(dist, `${name}.mjs`);
  const { metafile } = await build({
    entryPoints: [entry],
    outfile,
    ...programBundle,
    metafile: true,
    banner: { js: `#!/usr/bin/env node\n${programBundle.banner.js}` },
  });
  await chmod(outfile, 0o755);
  const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
  await writeBill(name, metafile);
  say(`${relative(root, outfile)}: ${kilobytes(bytes)}`);
}

await writePackage();

/** `dist/<name>.spdx.json`: the packages in a bundle, and for `liqo` what its image runs it with. */
async function writeBill(name: string, { inputs }: Metafile): Promise<void> {
  const manifests = Object.keys(inputs).flatMap((path) => {
    const [manifest] = /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
    return manifest === undefined ? [] : [`${manifest}/package.json`];
  });
  const packages = await Promise.all([...new Set(manifests)].map(readManifest));
  const own = await readManifest('package.json');
  const contains = name === 'liqo' ? [...packages, ...runtimeParts()] : packages;
  await writeFile(join(dist, `${name}.spdx.json`), forgeSoftwareBill({ ...own, name, contains }));
}

async function readManifest(path: string): Promise<ContainedPackage> {
  const manifest = JSON.parse(await readFile(join(root, path), 'utf8'));
  const { name, version, license = '' } = manifest as ContainedPackage;
  return { name, version, license };
}

/** The image is packed with the Node that builds, and with its libraries. */
function runtimeParts(): readonly ContainedPackage[] {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  const glibc = header?.glibcVersionRuntime ?? 'NOASSERTION';
  return [
    { name: 'node', version: process.versions.node, license: 'MIT' },
    { name: 'openssl', version: process.versions.openssl, license: 'Apache-2.0' },
    { name: 'glibc', version: glibc, license: 'LGPL-2.1-or-later' },
  ];
}

/** `dist/liqoctl`, of which `npm pack` makes a package. kubectl takes `kubectl-liqo` on the path for `kubectl liqo`. */
async function writePackage(): Promise<void> {
  const folder = join(dist, 'liqoctl');
  const source = await readFile(join(root, 'packages/liqoctl/package.json'), 'utf8');
  const { version } = JSON.parse(source) as { version: string };
  const manifest = {
    name: 'liqoctl',
    version,
    description: 'The command line of liqo-ts, and kubectl liqo',
    license: 'Apache-2.0',
    type: 'module',
    bin: { liqoctl: 'liqoctl.mjs', 'kubectl-liqo': 'liqoctl.mjs' },
    files: ['liqoctl.mjs'],
    engines: { node: '>=20.19' },
  };
  await mkdir(folder, { recursive: true });
  await copyFile(join(dist, 'liqoctl.mjs'), join(folder, 'liqoctl.mjs'));
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  say(`${relative(root, folder)}: npm pack makes a package of it`);
}

/** What the packages name under `bin` in their manifests. */
async function executables(): Promise<{ name: string; entry: string }[]> {
  const found: { name: string; entry: string }[] = [];
  for (const folder of await readdir(join(root, 'packages'))) {
    const manifest = await readFile(join(root, 'packages', folder, 'package.json'), 'utf8');
    const { bin = {} } = JSON.parse(manifest) as { bin?: Record<string, string> };
    for (const [name, path] of Object.entries(bin)) {
      // A launcher for the checkout stands beside the program itself.
      const program = path.replace(/\.mjs$/, '.ts');
      found.push({ name, entry: join(root, 'packages', folder, program) });
    }
  }
  return found;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(0)} KB`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
