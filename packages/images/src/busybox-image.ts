import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Entry } from './entry.ts';
import { type Image, ownArchitecture } from './image.ts';
import { textEntry } from './text-entry.ts';

const execute = promisify(execFile);

export const busyboxImageName = 'localhost/busybox:1';

/**
 * An image for test workloads: a shell, httpd, wget, nc and everything else this busybox has, each under its own name.
 * The program, a static one for this machine, is asked for that list.
 */
export async function busyboxImage(program: string, signal?: AbortSignal): Promise<Image> {
  const applets = await listApplets(program, signal);
  return {
    name: busyboxImageName,
    architecture: ownArchitecture(),
    config: { cmd: ['sh'], env: { PATH: '/bin' } },
    layers: [[await programEntry(program), ...applets.map(appletEntry), ...systemEntries()]],
  };
}

/** Without busybox itself, which a link of that name would overwrite. */
async function listApplets(program: string, signal?: AbortSignal): Promise<readonly string[]> {
  const { stdout } = await execute(program, ['--list'], signal ? { signal } : {});
  return stdout.split('\n').filter((name) => name !== '' && name !== 'busybox');
}

async function programEntry(program: string): Promise<Entry> {
  const { size } = await stat(program);
  const content = [{ file: program, start: 0, size }];
  return { type: 'file', path: 'bin/busybox', mode: 0o755, content };
}

function appletEntry(name: string): Entry {
  return { type: 'symlink', path: `bin/${name}`, target: 'busybox' };
}

function systemEntries(): Entry[] {
  return [
    textEntry(
      'etc/passwd',
      'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n',
    ),
    textEntry('etc/group', 'root:x:0:\nnogroup:x:65534:\n'),
    { type: 'folder', path: 'root', mode: 0o700 },
    { type: 'folder', path: 'tmp', mode: 0o1777 },
  ];
}
