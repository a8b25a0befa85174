import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identifyProcess } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { findAssets } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodePrograms } from '../packages/testkit/src/real-cluster/node/node-assets.ts';
import { processesOf, takeInventory } from './real-nodes/inventory.ts';

const root = join(import.meta.dirname, '..');
const door = join(root, 'packages/testkit/src/real-cluster/start-real-cluster.ts');
const patience = { timeoutMs: 60_000, intervalMs: 100 };
const clusterName = `left-${process.pid}`;
/** In the name of every folder, and so on every command line and in every control group. */
const mark = `liqo-ts-${clusterName}-`;

let temporary: string;

beforeAll(() => {
  temporary = mkdtempSync(join(tmpdir(), 'leftovers-'));
});

afterAll(() => rmSync(temporary, { recursive: true, force: true }));

/** A process that starts a cluster with a pod in it, says so, and ends it when it is told anything. */
function startOwner(): ChildProcess {
  const script = `import { startRealCluster } from ${JSON.stringify(door)};
    import { Pod } from '@liqo/kube';
    import { eventually } from '@liqo/testkit';
    const cluster = await startRealCluster({ name: '${clusterName}', nodes: 1 });
    const key = { namespace: 'default', name: 'waiting' };
    const container = { name: 'main', image: 'localhost/pause:1', imagePullPolicy: 'Never' };
    await cluster.client.create(Pod, { metadata: key, spec: { containers: [container] } });
    await eventually(async () => {
      const pod = await cluster.client.get(Pod, key);
      if (pod?.status?.phase !== 'Running') throw new Error('not running');
    }, { timeoutMs: 60_000 });
    process.stdout.write('started');
    for await (const _ of process.stdin) break;
    await cluster[Symbol.asyncDispose]();
    process.exit(0);`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, TMPDIR: temporary, TSX_DISABLE_CACHE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

async function untilStarted(owner: ChildProcess): Promise<void> {
  if (owner.stdout) await once(owner.stdout, 'data');
}

/** Resolves when this many programs of the cluster have been started. */
async function untilPrograms(count: number): Promise<void> {
  await eventually(() => {
    const folder = readdirSync(temporary).find((name) => !name.endsWith('.gone')) ?? '';
    expect(readdirSync(join(temporary, folder, 'pids')).length).toBeGreaterThanOrEqual(count);
  }, patience);
}

/** Ends a cluster, in one of the ways in which one ends. */
type Ending = (owner: ChildProcess) => Promise<void>;

const dispose: Ending = async (owner) => {
  await untilStarted(owner);
  owner.stdin?.end('end');
  await once(owner, 'exit');
};

const killAfter =
  (programs: number): Ending =>
  async (owner) => {
    await untilPrograms(programs);
    await kill(owner);
  };

/** Kills the reaper as well, so that what is left is left for the next start. */
const killWithReaper: Ending = async (owner) => {
  await untilStarted(owner);
  const [reaper, ...others] = processesOf(`reaper.sh\0${temporary}`);
  expect(others).toEqual([]);
  process.kill(Number.parseInt(reaper?.identity ?? '', 10), 'SIGKILL');
  await kill(owner);
};

async function kill(owner: ChildProcess): Promise<void> {
  owner.kill('SIGKILL');
  await once(owner, 'exit');
}

test('Ten clusters, three of them killed half-way, leave the machine as it was', async () => {
  const assets = findAssets(nodePrograms, process.env, ['nodes']);
  const inventory = () => takeInventory(mark, assets);
  const before = inventory();
  const seen = new Map<string, string>();
  const look = () => {
    for (const { identity, program } of processesOf(mark)) seen.set(identity, program);
  };
  const endings = [dispose, killAfter(3), dispose, dispose, killAfter(6), dispose, killWithReaper];
  for (const ending of [...endings, dispose, dispose, dispose]) {
    const owner = startOwner();
    const watcher = setInterval(look, 200);
    await ending(owner);
    clearInterval(watcher);
  }
  const programs = [...seen.values()];
  for (const program of ['kubelet', 'containerd-shim', 'pause']) {
    expect(programs.filter((each) => each === program).length).toBeGreaterThanOrEqual(8);
  }
  await eventually(() => {
    expect(processesOf(mark)).toEqual([]);
    expect([...seen.keys()].filter(isAlive)).toEqual([]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(inventory()).toEqual(before);
  }, patience);
}, 600_000);

function isAlive(identity: string): boolean {
  return identifyProcess(Number.parseInt(identity, 10)) === identity;
}
