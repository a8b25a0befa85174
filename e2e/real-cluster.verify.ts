import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ConfigMap } from '@liqo/kube';
import { chooseFreePort } from '@liqo/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../packages/testkit/src/eventually.ts';
import type { RealCluster } from '../packages/testkit/src/real-cluster/real-cluster.ts';
import { startRealCluster } from '../packages/testkit/src/real-cluster/start-real-cluster.ts';

const patience = { timeoutMs: 20_000 };

/** What kubectl prints, as the administrator unless another kubeconfig is given. */
async function kubectl(cluster: RealCluster, args: string, kubeconfig = cluster.kubeconfig) {
  const words = ['--kubeconfig', kubeconfig, ...args.split(' ')];
  const { stdout } = await promisify(execFile)(join(cluster.assets, 'kubectl'), words);
  return stdout.trim();
}

async function apply(cluster: RealCluster, object: unknown, subresource = ''): Promise<void> {
  const file = join(cluster.folder, 'object.json');
  writeFileSync(file, JSON.stringify(object));
  await kubectl(cluster, `apply --server-side --subresource=${subresource} -f ${file}`);
}

/** Command lines that mention the folder: every program of a cluster does. */
function programsIn(folder: string): readonly string[] {
  const lines = execFileSync('ps', ['-A', '-ww', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes(folder));
}

describe('a whole control plane', () => {
  let cluster: RealCluster;

  beforeAll(async () => {
    cluster = await startRealCluster({ name: 'whole' });
  });

  afterAll(() => cluster[Symbol.asyncDispose]());

  test('startRealCluster() runs the version that is pinned', async () => {
    const { serverVersion } = JSON.parse(await kubectl(cluster, 'version -o json'));
    expect(serverVersion.gitVersion).toBe('v1.35.4');
  });

  test('startRealCluster() comes with a client that may do everything', async () => {
    await cluster.client.create(ConfigMap, {
      metadata: { namespace: 'default', name: 'made' },
      data: { by: 'client' },
    });
    expect(await kubectl(cluster, 'get configmap made -o jsonpath={.data.by}')).toBe('client');
  });

  test('startRealCluster() schedules the pods of a Deployment', async () => {
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'paper' } };
    const conditions = [{ type: 'Ready', status: 'True' }];
    await apply(cluster, node);
    await apply(cluster, { ...node, status: { allocatable: { pods: 10 }, conditions } }, 'status');
    await kubectl(cluster, 'create deployment web --image=web --replicas=2');
    const nodes = 'get pods -l app=web -o jsonpath={.items[*].spec.nodeName}';
    await eventually(
      async () => expect(await kubectl(cluster, nodes)).toBe('paper paper'),
      patience,
    );
  });

  test('startRealCluster() publishes the authority of the API server to every namespace', async () => {
    await kubectl(cluster, 'create namespace fresh');
    const root = "get configmap kube-root-ca.crt -n fresh -o jsonpath={.data['ca\\.crt']}";
    const authority = readFileSync(join(cluster.folder, 'pki/ca.crt'), 'utf8').trim();
    await eventually(async () => expect(await kubectl(cluster, root)).toBe(authority), patience);
  });

  test('startRealCluster() gives service accounts tokens that the API server accepts', async () => {
    const token = await kubectl(cluster, 'create token default');
    const asAccount = join(cluster.folder, 'account.conf');
    writeFileSync(asAccount, cluster.kubeconfigText.replace(/^ *client-.*\n/gm, ''));
    const whoAmI = `auth whoami --token ${token} -o jsonpath={.status.userInfo.username}`;
    expect(await kubectl(cluster, whoAmI, asAccount)).toBe('system:serviceaccount:default:default');
  });

  test('kubeconfigFor() is for that user and no other', async () => {
    const file = join(cluster.folder, 'stranger.conf');
    writeFileSync(file, await cluster.kubeconfigFor({ name: 'eve', groups: ['visitors'] }));
    await expect(kubectl(cluster, 'get nodes', file)).rejects.toThrow(
      'User "eve" cannot list resource "nodes"',
    );
  });

  test('restartApiServer() keeps the address and every object', async () => {
    await kubectl(cluster, 'create configmap kept --from-literal=a=b');
    const before = cluster.component('kube-apiserver').pid;
    await cluster.restartApiServer();
    expect(cluster.component('kube-apiserver').pid).not.toBe(before);
    expect(await kubectl(cluster, 'get configmap kept -o jsonpath={.data.a}')).toBe('b');
  });

  test('pause() of etcd hangs every write until resume()', async () => {
    cluster.component('etcd').pause();
    const write = kubectl(cluster, 'create configmap hung --request-timeout=1s');
    await expect(write).rejects.toThrow(/Timeout|timeout|deadline/);
    cluster.component('etcd').resume();
    await eventually(() => kubectl(cluster, 'create configmap after'), patience);
  });

  test('stop() and start() of etcd lose nothing', async () => {
    await kubectl(cluster, 'create configmap durable');
    await cluster.component('etcd').stop();
    await cluster.component('etcd').start();
    const read = () => kubectl(cluster, 'get configmap durable -o name');
    expect(await eventually(read, patience)).toBe('configmap/durable');
  });
});

describe('starting', () => {
  test('startRealCluster() starts two clusters at once, and one ends without the other', async () => {
    const [one, other] = await Promise.all([
      startRealCluster({ name: 'one' }),
      startRealCluster({ name: 'other' }),
    ]);
    await using _ = other;
    expect(one.server).not.toBe(other.server);
    await kubectl(one, 'create namespace only-here');
    expect(await kubectl(other, 'get namespaces -o name')).not.toContain('only-here');
    await one[Symbol.asyncDispose]();
    expect(programsIn(one.folder)).toEqual([]);
    expect(existsSync(one.folder)).toBe(false);
    expect(await kubectl(other, 'get --raw /readyz')).toBe('ok');
  });

  test('startRealCluster() without controllers accepts pods, which nobody schedules', async () => {
    await using cluster = await startRealCluster({ components: 'api-only' });
    expect(await kubectl(cluster, 'run idle --image=idle -o name')).toBe('pod/idle');
    expect(() => cluster.component('kube-scheduler')).toThrow(
      'Cannot find kube-scheduler: cluster "kubernetes" was started without it',
    );
  });

  test('startRealCluster() takes another port when the first turns out to be taken', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const { port: taken } = squatter.address() as AddressInfo;
    const ports = [taken];
    const choosePort = async () => ports.pop() ?? chooseFreePort('127.0.0.1');
    await using cluster = await startRealCluster({ components: 'api-only', choosePort });
    expect(ports).toEqual([]);
    expect(cluster.server).not.toBe(`https://127.0.0.1:${taken}`);
    squatter.close();
  });

  test('startRealCluster() that fails says why, keeps the log and leaves nothing else', async () => {
    const start = startRealCluster({ name: 'bad', apiServerFlags: { 'no-such-flag': '1' } });
    const error = await start.then(undefined, (reason: Error) => reason);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^Cannot start kube-apiserver: it ended with exit code 1. The end of its log "[^"]+":\n.*unknown flag: --no-such-flag/s,
      ),
    });
    const left = readdirSync(tmpdir()).filter((name) => name.startsWith('liqo-ts-bad-'));
    expect(left).toEqual([expect.stringMatching(/^liqo-ts-bad-\w+-kube-apiserver\.log$/)]);
    for (const name of left) rmSync(join(tmpdir(), name));
  });

  test('startRealCluster() refuses a name that could not be part of a path or a host name', async () => {
    await expect(startRealCluster({ name: '../x' })).rejects.toThrow(
      'Cannot start cluster "../x": a name is at most 32 lower-case letters',
    );
  });
});

describe('the end of the process that started a cluster', () => {
  const root = join(import.meta.dirname, '..');
  const door = join(root, 'packages/testkit/src/real-cluster/start-real-cluster.ts');
  let temporary: string;
  let owner: ChildProcess;

  beforeEach(() => {
    temporary = mkdtempSync(join(tmpdir(), 'owner-'));
  });

  afterEach(async () => {
    owner.kill('SIGKILL');
    await expectNothingLeft();
    rmSync(temporary, { recursive: true });
  });

  /** A process, in a process group of its own as under a shell, that starts a cluster and then does as it is told. */
  function startOwner(then: string): ChildProcess {
    const script = `import { startRealCluster } from ${JSON.stringify(door)};
      const cluster = await startRealCluster();
      process.stdout.write('started');
      ${then}`;
    return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
      cwd: root,
      detached: true,
      env: { ...process.env, TMPDIR: temporary, TSX_DISABLE_CACHE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  }

  /** Resolves when this many programs of the cluster have been started. */
  async function programsStarted(count: number): Promise<void> {
    await eventually(() => {
      const [folder = ''] = readdirSync(temporary);
      expect(readdirSync(join(temporary, folder, 'pids')).length).toBeGreaterThanOrEqual(count);
    }, patience);
  }

  async function expectNothingLeft(): Promise<void> {
    await eventually(() => {
      expect(programsIn(temporary)).toEqual([]);
      expect(readdirSync(temporary)).toEqual([]);
    }, patience);
  }

  const wait = 'await new Promise((resolve) => setTimeout(resolve, 600_000));';

  test.each([
    ['etcd has been started', 1],
    ['the API server has been started', 2],
    ['the controllers have been started', 4],
  ])('startRealCluster() leaves nothing when its process is killed after %s', async (_, count) => {
    owner = startOwner(wait);
    await programsStarted(count);
    expect(programsIn(temporary)).not.toEqual([]);
    owner.kill('SIGKILL');
    await expectNothingLeft();
  });

  test.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)(
    'startRealCluster() leaves nothing when the whole process group of a running cluster gets %s',
    async (signal) => {
      owner = startOwner(wait);
      if (owner.stdout) await once(owner.stdout, 'data');
      expect(programsIn(temporary)).toHaveLength(5);
      process.kill(-(owner.pid ?? 0), signal);
      await expectNothingLeft();
    },
  );

  test('startRealCluster() does not keep its process alive, and leaves nothing when it ends', async () => {
    owner = startOwner('');
    const [code] = await once(owner, 'exit');
    expect(code).toBe(0);
    await expectNothingLeft();
  });
});
