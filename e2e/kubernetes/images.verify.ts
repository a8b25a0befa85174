import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findAssets } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  busyboxImage,
  type Image,
  nodeImage,
  packImage,
  pauseImage,
} from '../../packages/images/src/index.ts';
import { eventually } from '../../packages/testkit/src/eventually.ts';

/** Our images in a real containerd, as root: what packs them must not be the judge of whether they work. */
const execute = promisify(execFile);

let root: string;
let tree: string;
let containerd: ChildProcess;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'images-'));
  tree = join(
    findAssets(['nodes/usr/bin/containerd', 'nodes/usr/sbin/runc'], process.env),
    'nodes',
  );
  containerd = startContainerd();
  await eventually(() => ctr('version'));
});

afterAll(async () => {
  const ended = once(containerd, 'exit');
  containerd.kill('SIGTERM');
  await ended;
  rmSync(root, { recursive: true });
});

function startContainerd(): ChildProcess {
  const config = join(root, 'config.toml');
  writeFileSync(
    config,
    `version = 2
root = "${root}/root"
state = "${root}/state"
disabled_plugins = [
  "io.containerd.grpc.v1.cri", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs",
]
[grpc]
address = "${root}/containerd.sock"
[ttrpc]
address = "${root}/containerd.sock.ttrpc"
[plugins."io.containerd.internal.v1.opt"]
path = "${root}/opt"
`,
  );
  const env = { PATH: `${tree}/usr/bin:${tree}/usr/sbin:${process.env.PATH}` };
  // It keeps sockets and pipes below /run, whatever its configuration says: here that is a /run of its own.
  const inside = 'mount -t tmpfs tmpfs /run && exec containerd --config "$0"';
  const script = `exec unshare --mount sh -c '${inside}' "$0"`;
  return spawn('sh', ['-c', script, config], { env, stdio: 'ignore' });
}

async function ctr(...args: string[]): Promise<string> {
  const inside = ['--mount', '--target', `${containerd.pid}`, join(tree, 'usr/bin/ctr')];
  const { stdout } = await execute('nsenter', [
    ...inside,
    '--address',
    join(root, 'containerd.sock'),
    ...args,
  ]);
  return stdout;
}

/** Without a cgroup: nothing is limited here, and containerd leaves those it makes. */
async function run(...args: string[]): Promise<string> {
  return await ctr('run', '--cgroup', '', ...args);
}

async function load(image: Image, gzip: boolean): Promise<void> {
  const archive = join(root, 'image.tar');
  await packImage(image, archive, { gzip });
  await ctr('images', 'import', archive);
}

test.each([false, true])(
  'pauseImage() starts, and ends well when it is told to (gzip: %s)',
  async (gzip) => {
    const image = pauseImage();
    await load({ ...image, name: `localhost/pause:${gzip}` }, gzip);
    const id = `pause-${gzip}`;
    await run('--detach', `localhost/pause:${gzip}`, id);
    expect(await ctr('tasks', 'ls')).toMatch(new RegExp(`^${id} +\\d+ +RUNNING`, 'm'));
    await ctr('tasks', 'kill', '--signal', 'SIGTERM', id);
    await eventually(async () => {
      expect(await ctr('tasks', 'ls')).toMatch(new RegExp(`^${id} +\\d+ +STOPPED`, 'm'));
    });
    await ctr('tasks', 'delete', id);
    await ctr('containers', 'delete', id);
  },
);

test('busyboxImage() has a shell, a web server and what asks it', async () => {
  await load(await busyboxImage(join(tree, 'bin/busybox')), false);
  const script =
    'ip link set lo up && httpd -p 127.0.0.1:80 -h /etc && wget -qO- http://127.0.0.1/group && ' +
    'stat -c "%a %u" /tmp && ls -l /bin/busybox | cut -c1-10 && which sh nc';
  const output = await run('--rm', 'localhost/busybox:1', 'busybox', 'sh', '-c', script);
  expect(output.trim().split('\n')).toEqual([
    'root:x:0:',
    'nogroup:x:65534:',
    '1777 0',
    '-rwxr-xr-x',
    '/bin/sh',
    '/bin/nc',
  ]);
});

const program = `
import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { rootCertificates } from 'node:tls';
const refused = (path) => { try { writeFileSync(path, ''); } catch (error) { return error.code; } };
console.log(JSON.stringify({
  version: process.version, user: userInfo().username, uid: process.getuid(), folder: process.cwd(),
  root: refused('/x'), app: refused('x'), certificates: rootCertificates.length > 100, args: process.argv.slice(2),
}));
`;

test('nodeImage() runs a bundle as a user who is not root, on a root nobody can write to', async () => {
  const folder = join(root, 'bundles');
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'hello.mjs'), program, { mode: 0o600 });
  const name = 'localhost/hello:1';
  await load(await nodeImage({ name, folder, cmd: ['hello.mjs', 'world'] }), false);
  expect(JSON.parse(await run('--rm', '--read-only', name, 'hello'))).toEqual({
    version: process.version,
    user: 'nonroot',
    uid: 65532,
    folder: '/app',
    root: 'EROFS',
    app: 'EROFS',
    certificates: true,
    args: ['world'],
  });
});
