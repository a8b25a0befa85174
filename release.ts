import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs, promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { arrangeEntries, readFolder, writeTar } from '@liqo/images';

/**
 * `npm run release [-- --dry-run] [--folder FOLDER] [--image REGISTRY/NAME]`: writes everything that a release publishes, with its
 * checksums, and prints the commands that publish it. With `--dry-run` nothing is kept.
 */
const root = import.meta.dirname;
const run = promisify(execFile);
const usage = 'Usage: npm run release [-- --dry-run] [--folder FOLDER] [--image REGISTRY/NAME]\n';

interface Release {
  readonly version: string;
  readonly image: string;
  readonly folder: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      folder: { type: 'string', default: join(root, 'dist/release') },
      image: { type: 'string', default: 'localhost/liqo' },
    },
  });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const isDryRun = values['dry-run'];
  const folder = isDryRun ? await mkdtemp(join(tmpdir(), 'liqo-release-')) : values.folder;
  try {
    await makeEmpty(folder);
    const release = { version, image: `${values.image}:v${version}`, folder };
    await build(release);
    await checkChart(release);
    say(`Release ${version}${isDryRun ? ' (dry run: nothing is kept)' : ` in ${folder}`}\n`);
    say(await writeChecksums(folder));
    say(`To publish it:\n${waysToPublish(release)}`);
  } finally {
    if (isDryRun) await rm(folder, { recursive: true, force: true });
  }
}

/** Refuses a folder with other files, which would be published with the release. */
async function makeEmpty(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = await readdir(folder);
  if (files.length === 0) return;
  throw new Error(`Cannot write the release into "${folder}": it is not empty. Name another one`);
}

async function build({ version, image, folder }: Release): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'liqo-build-'));
  try {
    await tsx('build.ts', work);
    const archive = join(folder, imageFile(version));
    const parts = ['--bundle', join(work, 'liqo.mjs'), '--bill', join(work, 'liqo.spdx.json')];
    await tsx('packages/images/bin/pack.ts', 'liqo', archive, '--name', image, ...parts);
    await run('npm', ['pack', join(work, 'liqoctl'), '--pack-destination', folder], { cwd: root });
    for (const file of ['liqoctl.mjs', 'liqo.spdx.json', 'liqoctl.spdx.json']) {
      await copyFile(join(work, file), join(folder, file));
    }
    await packChart(join(folder, chartFile(version)));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function tsx(...args: readonly string[]): Promise<void> {
  await run('npx', ['--no', '--', 'tsx', ...args], { cwd: root });
}

/** What `helm package` makes, without Helm: the folder of the chart under its name. */
async function packChart(path: string): Promise<void> {
  const entries = arrangeEntries(await readFolder(join(root, 'charts/liqo'), 'liqo'));
  await pipeline(
    Readable.from(writeTar(entries)),
    createGzip({ level: 9 }),
    createWriteStream(path),
  );
}

/** The version of the chart is generated: it differs only if `npm run chart` was forgotten. */
async function checkChart({ version }: Release): Promise<void> {
  const chart = await readFile(join(root, 'charts/liqo/Chart.yaml'), 'utf8');
  if (chart.includes(`\nversion: "${version}"\n`)) return;
  throw new Error(`Cannot release ${version}: the chart has another version. Run "npm run fix"`);
}

/** Writes SHA256SUMS, and gives a line for each file. */
async function writeChecksums(folder: string): Promise<string> {
  const sums: string[] = [];
  const lines: string[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const path = join(folder, file);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    const sum = hash.digest('hex');
    const kilobytes = Math.ceil((await stat(path)).size / 1024);
    sums.push(`${sum}  ${file}\n`);
    lines.push(`  ${file.padEnd(28)}${`${kilobytes} KB`.padStart(10)}  ${sum}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  return lines.join('');
}

function waysToPublish({ version, image }: Release): string {
  const repository = image.slice(0, image.lastIndexOf('/'));
  return [
    `  skopeo copy oci-archive:${imageFile(version)} docker://${image}`,
    `  helm push ${chartFile(version)} oci://${repository}/charts`,
    `  npm publish liqoctl-${version}.tgz`,
    '  attach liqoctl.mjs, *.spdx.json and SHA256SUMS to the release of the tag\n',
  ].join('\n');
}

function imageFile(version: string): string {
  return `liqo-image-${version}-${process.arch}.tar`;
}

function chartFile(version: string): string {
  return `liqo-${version}.tgz`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}
