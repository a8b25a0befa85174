import { posix } from 'node:path';
import type { ShellWorld } from './shell-world.ts';
import { packTar, unpackTar } from './tar-archive.ts';

/** `tar cf - <path>…` and `tar xf - -C <folder>`: what `kubectl cp` asks of a container. */
export async function tar(args: readonly string[], world: ShellWorld): Promise<number> {
  const [flags = '', ...rest] = args;
  const operands = rest.filter((word) => word !== '-');
  if (/^-?c\w*f$/.test(flags)) return pack(operands, world);
  if (/^-?x\w*f$/.test(flags)) return unpack(operands, world);
  await world.stderr('tar: only "tar cf -" and "tar xf -" are known here\n');
  return 2;
}

/** `test -d`, `-e` and `-f`. Folders are what has files in it. */
export function testPath([flag = '', path = '']: readonly string[], world: ShellWorld): number {
  const absolute = posix.resolve('/', path);
  const isFile = world.files.has(absolute);
  const isFolder = filesBelow(absolute, world).length > 0 || alwaysThere.includes(absolute);
  const holds = { '-d': isFolder, '-f': isFile, '-e': isFile || isFolder }[flag];
  return holds === undefined ? 2 : Number(!holds);
}

const alwaysThere: readonly string[] = ['/', '/tmp'];

async function pack(paths: readonly string[], world: ShellWorld): Promise<number> {
  const wanted = paths.map((path) => posix.resolve('/', path));
  const found = wanted.map((path) => [
    ...filesBelow(path, world),
    ...(world.files.has(path) ? [path] : []),
  ]);
  const missing = wanted.filter((_, i) => found[i]?.length === 0);
  for (const path of missing) {
    await world.stderr(`tar: ${path}: Cannot stat: No such file or directory\n`);
  }
  const files = found.flat().map((path) => ({
    path: path.slice(1),
    bytes: Buffer.from((world.files.get(path) ?? '') as string),
  }));
  await world.stdout(packTar(files));
  return missing.length > 0 ? 2 : 0;
}

async function unpack(operands: readonly string[], world: ShellWorld): Promise<number> {
  const [folder = '/'] = operands[0] === '-C' ? operands.slice(1) : [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of world.stdin) chunks.push(chunk);
  for (const { path, bytes } of unpackTar(Buffer.concat(chunks))) {
    world.writeFile(posix.resolve('/', folder, path), bytes);
  }
  return 0;
}

function filesBelow(folder: string, { files }: ShellWorld): string[] {
  const base = folder.endsWith('/') ? folder : `${folder}/`;
  return [...files.keys()].filter((path) => path.startsWith(base));
}
