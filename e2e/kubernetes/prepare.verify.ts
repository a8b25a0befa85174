import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { assetsFolder } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { hostTools } from '../../packages/testkit/src/real-cluster/node/check-host.ts';
import { baseSet } from './programs.ts';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'prepare-'));
});

afterEach(() => {
  rmSync(root, { recursive: true });
});

/** Runs the script with a cache of its own and nothing on its PATH, unless `env` says otherwise. */
function start(args: readonly string[], env: Record<string, string>) {
  const script = join(import.meta.dirname, 'prepare.ts');
  const empty = { PATH: join(root, 'bin'), HOME: root, XDG_CACHE_HOME: join(root, 'cache') };
  return spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...empty, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const script = start(args, env);
  const [stdout, stderr, [code]] = await Promise.all([
    text(script.stdout),
    text(script.stderr),
    once(script, 'exit'),
  ]);
  return { stdout, stderr, code };
}

function write(folder: string, names: readonly string[], content = ''): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder, name), content);
    chmodSync(join(folder, name), 0o755);
  }
}

const programs = Object.keys(baseSet.programs);
const machineTools = Object.keys(hostTools);

test('npm run kubernetes prints the folder that KUBEBUILDER_ASSETS names when it has everything', async () => {
  write(root, programs);
  expect(await run([], { KUBEBUILDER_ASSETS: root })).toEqual({
    stdout: `${root}\n`,
    stderr: '',
    code: 0,
  });
});

test('npm run kubernetes says what the named folder lacks, and the two ways out', async () => {
  write(root, ['etcd', 'kube-apiserver', 'kubectl']);
  const { stdout, stderr, code } = await run(['helm'], { KUBEBUILDER_ASSETS: root });
  expect(stderr).toBe(
    `Cannot use KUBEBUILDER_ASSETS: "${root}" lacks kube-controller-manager, kube-scheduler, helm. ` +
      'Unset the variable to have everything built here, or name a folder that has all of them.\n',
  );
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
});

test('npm run kubernetes prints the folder of an earlier build, without any Go', async () => {
  const folder = assetsFolder({ XDG_CACHE_HOME: join(root, 'cache') });
  write(folder, programs);
  expect(await run([])).toEqual({ stdout: `${folder}\n`, stderr: '', code: 0 });
});

test('npm run kubernetes refuses a word it does not know with the list of those it knows', async () => {
  const { stderr, code } = await run(['kwok', 'toString']);
  expect(stderr).toBe(
    'Cannot prepare "toString": there is no such thing. Kubernetes itself is always prepared; what can be added: kwok, helm, nodes, shells.\n',
  );
  expect(code).toBe(2);
});

test('npm run kubernetes says which program of a node the named folder lacks', async () => {
  write(root, [...programs, 'kubelet', 'kube-proxy']);
  write(join(root, 'bin'), machineTools);
  const { stderr, code } = await run(['nodes'], { KUBEBUILDER_ASSETS: root });
  expect(stderr).toContain(`"${root}" lacks nodes/usr/bin/containerd, nodes/usr/bin/`);
  expect(code).toBe(1);
});

test('npm run kubernetes says so when nodes are asked for and there is no apt-get, before it builds anything', async () => {
  write(join(root, 'bin'), machineTools);
  const { stdout, stderr, code } = await run(['nodes']);
  expect(stderr).toMatch(
    /\nCannot prepare nodes: .* there is no "apt-get" on the PATH\. Use a machine with Debian .*\n$/,
  );
  expect({ stdout, code }).toEqual({ stdout: '', code: 1 });
});

test('npm run kubernetes says so when nodes are asked for and the machine has no iproute2, though all is built', async () => {
  const tools = machineTools.filter((tool) => tool !== 'ip' && tool !== 'tc');
  write(join(root, 'bin'), tools);
  write(assetsFolder({ XDG_CACHE_HOME: join(root, 'cache') }), programs);
  expect(await run(['nodes'])).toEqual({
    stdout: '',
    stderr:
      'Cannot prepare nodes: not on the search path: "ip", "tc". Install what has them ' +
      '(Debian: apt-get install iproute2). Or leave "nodes" out.\n',
    code: 1,
  });
});

test('npm run kubernetes repeats what apt said when the packages are out of reach', async () => {
  write(join(root, 'bin'), machineTools);
  write(join(root, 'bin'), ['apt-get'], '#!/bin/sh\necho "E: nobody answers" >&2\nexit 100\n');
  const { stderr, code } = await run(['nodes']);
  expect(stderr).toMatch(
    /\nCannot prepare nodes: .* could not be downloaded\. Check the network .*:\nE: nobody answers\n$/,
  );
  expect(code).toBe(1);
});

test('npm run kubernetes says so when there is no Go', async () => {
  const { stderr, code } = await run([]);
  expect(stderr).toMatch(
    /^Cannot build Kubernetes: there is no Go on the PATH\. Install it, or set .*\n$/,
  );
  expect(code).toBe(1);
});

test('npm run kubernetes says so when Go is too old', async () => {
  write(join(root, 'bin'), ['go'], '#!/bin/sh\necho go1.19.8\n');
  const { stderr, code } = await run([]);
  expect(stderr).toMatch(
    /^Cannot build Kubernetes: it needs Go 1\.25\.0 or newer, .* older \(go1\.19\.8\)\. Install .*\n$/,
  );
  expect(code).toBe(1);
});

test('npm run kubernetes repeats what Go said when it cannot download', async () => {
  const { stderr, code } = await run([], {
    PATH: process.env.PATH ?? '',
    GOPROXY: 'http://127.0.0.1:9',
    GOMODCACHE: join(root, 'modules'),
  });
  expect(stderr).toContain('Cannot build etcd, kube-apiserver, kube-controller-manager');
  expect(stderr).toContain('check the network and "go env GOPROXY"');
  expect(stderr).toContain('127.0.0.1:9: connect: connection refused');
  expect(code).toBe(1);
});

test('npm run kubernetes leaves nothing of a build that was interrupted', async () => {
  const script = start([], { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' });
  const exited = once(script, 'exit');
  for await (const chunk of script.stderr) if (String(chunk).includes('Building etcd')) break;
  script.kill('SIGINT');
  expect((await exited)[0]).toBe(130);
  expect(readdirSync(dirname(assetsFolder({ XDG_CACHE_HOME: join(root, 'cache') })))).toEqual([]);
});
