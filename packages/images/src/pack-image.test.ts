import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import type { Image } from './image.ts';
import { packImage } from './pack-image.ts';
import { readFolder } from './read-folder.ts';

let root: string;
let archive: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pack-image-'));
  archive = join(root, 'image.tar');
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

function file(path: string, text: string): Entry {
  return { type: 'file', path, mode: 0o644, content: [Buffer.from(text)] };
}

const image: Image = {
  name: 'localhost/greeter:1',
  architecture: 'arm64',
  config: {
    entrypoint: ['/greet'],
    cmd: ['world'],
    env: { PATH: '/bin', LANG: 'C' },
    user: '65532:65532',
    workdir: '/app',
    labels: { b: '2', a: '1' },
    exposedPorts: ['8080/tcp', '443/tcp'],
  },
  layers: [[file('etc/motd', 'hello')], [file('app/main', 'main')]],
};

/** The members of an archive, by path; only what this package writes is understood. */
function members(tar: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; tar[at] !== 0; ) {
    const path = tar.toString('utf8', at, at + 100).replace(/\0+$/, '');
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8);
    found.set(path, tar.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return found;
}

function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

function readArchive() {
  const parts = members(readFileSync(archive));
  const read = (path: string) => parts.get(path) ?? Buffer.alloc(0);
  const blob = (digest: string) => read(`blobs/${digest.replace(':', '/')}`);
  const json = (bytes: Buffer) => JSON.parse(bytes.toString());
  const index = json(read('index.json'));
  const manifest = json(blob(index.manifests[0].digest));
  const config = json(blob(manifest.config.digest));
  return { parts, blob, index, manifest, config, docker: json(read('manifest.json')) };
}

test('packImage() names every blob after its digest', async () => {
  await packImage(image, archive);
  const blobs = [...readArchive().parts].filter(([path]) => /^blobs\/sha256\/./.test(path));
  expect(blobs).toHaveLength(4);
  for (const [path, bytes] of blobs)
    expect(path.replace('blobs/sha256/', 'sha256:')).toBe(sha256(bytes));
});

test('packImage() writes an OCI layout, from the index down to the layers', async () => {
  const packed = await packImage(image, archive);
  const { parts, blob, index, manifest, config } = readArchive();
  expect(parts.get('oci-layout')?.toString()).toBe('{"imageLayoutVersion":"1.0.0"}');
  expect(index.manifests[0]).toMatchObject({
    digest: packed.digest,
    platform: { os: 'linux', architecture: 'arm64' },
    annotations: {
      'io.containerd.image.name': 'localhost/greeter:1',
      'org.opencontainers.image.ref.name': '1',
    },
  });
  expect(manifest.config.digest).toBe(packed.id);
  const layers = manifest.layers.map(({ digest }: { digest: string }) => digest);
  expect(config.rootfs.diff_ids).toEqual(layers);
  const contents = layers.map((digest: string) => [...members(blob(digest)).keys()]);
  expect(contents).toEqual([
    ['etc/', 'etc/motd'],
    ['app/', 'app/main'],
  ]);
});

test('packImage() writes the manifest of a Docker archive over the same blobs', async () => {
  await packImage(image, archive);
  const { docker, manifest } = readArchive();
  const path = ({ digest }: { digest: string }) => `blobs/${digest.replace(':', '/')}`;
  expect(docker).toEqual([
    {
      Config: path(manifest.config),
      RepoTags: ['localhost/greeter:1'],
      Layers: manifest.layers.map(path),
    },
  ]);
});

test('packImage() writes how a container starts', async () => {
  await packImage(image, archive);
  expect(readArchive().config).toMatchObject({
    os: 'linux',
    architecture: 'arm64',
    config: {
      Entrypoint: ['/greet'],
      Cmd: ['world'],
      Env: ['LANG=C', 'PATH=/bin'],
      User: '65532:65532',
      WorkingDir: '/app',
      Labels: { a: '1', b: '2' },
      ExposedPorts: { '443/tcp': {}, '8080/tcp': {} },
    },
  });
});

test('packImage() keeps the digest of a plain layer when it compresses it, and so the id', async () => {
  const plain = await packImage(image, archive);
  const zipped = await packImage(image, archive, { gzip: true });
  expect(zipped.id).toBe(plain.id);
  const { blob, manifest, config } = readArchive();
  for (const [index, { digest, mediaType }] of manifest.layers.entries()) {
    expect(mediaType).toBe('application/vnd.oci.image.layer.v1.tar+gzip');
    expect(sha256(gunzipSync(blob(digest)))).toBe(config.rootfs.diff_ids[index]);
  }
});

/** The same folder, as if made by others on another day. */
function writeFolder(name: string, names: readonly string[], day: Date): string {
  const folder = join(root, name);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const file of names) writeFileSync(join(folder, file), file, { mode: 0o644 });
  symlinkSync('one', join(folder, 'bin/two'));
  for (const file of names) utimesSync(join(folder, file), day, day);
  return folder;
}

test.each([false, true])(
  'packImage() gives the same bytes for the same folder (gzip: %s)',
  async (gzip) => {
    const first = writeFolder('first', ['bin/one', 'bin/a', 'z'], new Date(0));
    const second = writeFolder('second', ['z', 'bin/a', 'bin/one'], new Date(86_400_000));
    const other = join(root, 'other.tar');
    await packImage({ ...image, layers: [await readFolder(first)] }, archive, { gzip });
    const { env = {} } = image.config;
    const config = { ...image.config, env: Object.fromEntries(Object.entries(env).reverse()) };
    await packImage({ ...image, config, layers: [await readFolder(second)] }, other, { gzip });
    expect(readFileSync(archive).equals(readFileSync(other))).toBe(true);
  },
);

test('packImage() keeps two equal layers once', async () => {
  const layer = [file('a', 'x'.repeat(5000))];
  const once = await packImage({ ...image, layers: [layer, []] }, archive);
  const twice = await packImage({ ...image, layers: [layer, [], layer] }, archive);
  expect(twice.size - once.size).toBeLessThan(5000);
  expect(readFileSync(archive)).toHaveLength(twice.size);
  expect(readArchive().manifest.layers).toHaveLength(3);
});

test.each([false, true])('packImage() leaves nothing when it fails (gzip: %s)', async (gzip) => {
  writeFileSync(join(root, 'shrinking'), 'x'.repeat(1000));
  const [entry] = (await readFolder(root)).filter(({ path }) => path === 'shrinking');
  truncateSync(join(root, 'shrinking'), 10);
  const broken = { ...image, layers: [[file('a', 'a')], entry ? [entry] : []] };
  await expect(packImage(broken, archive, { gzip })).rejects.toThrow('it has become shorter');
  expect(readdirSync(root)).toEqual(['shrinking']);
});

test('packImage() may be asked for the same archive several times at once', async () => {
  const packed = await Promise.all([1, 2, 3].map(() => packImage(image, archive)));
  expect(new Set(packed.map(({ digest }) => digest)).size).toBe(1);
  expect(readFileSync(archive)).toHaveLength(packed[0]?.size ?? 0);
  expect(readdirSync(root)).toEqual(['image.tar']);
});

test('packImage() leaves an older archive alone when it fails', async () => {
  writeFileSync(archive, 'older');
  const signal = AbortSignal.abort();
  await expect(packImage(image, archive, { signal })).rejects.toThrow('aborted');
  expect(readdirSync(root)).toEqual(['image.tar']);
  expect(readFileSync(archive, 'utf8')).toBe('older');
});

test.each([
  'greeter',
  'greeter:1',
  'liqo/greeter:1',
  'localhost/greeter',
  'localhost/Greeter:1',
  '',
])('packImage() refuses the name %j, which tools would read in different ways', async (name) => {
  await expect(packImage({ ...image, name }, archive)).rejects.toThrow(
    `Cannot pack image "${name}": its name must have a registry and a tag`,
  );
});
