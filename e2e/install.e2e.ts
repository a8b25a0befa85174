import { VirtualNode } from '@liqo/api';
import {
  CustomResourceDefinition,
  Lease,
  mergePatch,
  Namespace,
  Node,
  Pod,
  Secret,
} from '@liqo/kube';
import { startWorld, type World } from '@liqo/playground';
import { realKubernetes } from '@liqo/playground/real';
import { systemClock } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import type { RealCluster } from '@liqo/testkit/real-cluster';
import { afterAll, beforeAll, expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { installChart } from './install/install-chart.ts';
import { listEverything } from './install/list-everything.ts';
import { chart, helm } from './install/run-helm.ts';
import { kubectl } from './real-nodes/kubectl.ts';

/** The chart with the packed image, installed with helm on a real cluster with a real node, as a user does it. */
let world: World<RealCluster>;
let cluster: RealCluster;
let before: readonly string[];

const timeoutMs = 240_000;
const patience = { timeoutMs: 60_000, intervalMs: 200 };
const namespace = 'liqo';
const tenant = 'liqo-tenant-milan';
const virtualNode = { name: 'mynode', namespace: tenant };
const deployment = 'deployment/liqo-controller-manager';
const values = ['--set', 'image.pullPolicy=Never'];
const wait = ['--wait', '--timeout', '120s'];
const run = (line: string) => kubectl(cluster, `-n ${namespace} ${line}`);

beforeAll(async () => {
  const kubernetes = realKubernetes({ clock: systemClock, install: installStrictly });
  world = await startWorld({ kubernetes, consumer: 'rome', providers: [] });
}, timeoutMs);

afterAll(() => world?.[Symbol.asyncDispose]());

/** Into a namespace that is strict; what there was before is written down. */
async function installStrictly(into: RealCluster): Promise<void> {
  cluster = into;
  const strict = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  await cluster.client.create(Namespace, { metadata: { name: namespace, labels: strict } });
  await eventually(() => run('get serviceaccount/default configmap/kube-root-ca.crt'), patience);
  before = await listEverything(cluster);
  const rehearsal = [...values, '--set', 'clusterID=rome', '--dry-run=server'];
  await helm(cluster, 'install', 'liqo', chart, '-n', namespace, ...rehearsal);
  expect(await listEverything(cluster)).toEqual(before);
  await installChart(cluster);
}

/** What the controllers have said so far, all of them. */
function logs(): Promise<string> {
  return run('logs -l app.kubernetes.io/name=controller-manager --tail=-1');
}

test('the controllers are ready in a namespace of the strictest Pod Security level', async () => {
  expect(await run(`get ${deployment} -o jsonpath={.status.readyReplicas}`)).toBe('1');
  expect(await run('get deployment/liqo-webhook -o jsonpath={.status.readyReplicas}')).toBe('2');
  const { items } = await cluster.client.list(Pod, { namespace });
  const restarts = items.map(({ status }) => status?.containerStatuses?.[0]?.restartCount);
  expect(restarts).toEqual([0, 0, 0]);
});

test('the notes of the release name the next three commands', async () => {
  const notes = await helm(cluster, 'get', 'notes', 'liqo', '-n', namespace);
  expect(notes).toContain('this cluster is "rome"');
  const [rollout = '', ...next] = notes
    .split('\n')
    .flatMap((line) => /^ {5}(\S.*)/.exec(line)?.[1] ?? []);
  expect(next).toEqual(['liqoctl peer --remote-kubeconfig FILE', 'liqoctl offload namespace NAME']);
  const [program, ...args] = rollout.split(' ');
  expect(program).toBe('kubectl');
  expect(await kubectl(cluster, args.join(' '))).toContain('successfully rolled out');
});

test('clients of Liqo find the controller-manager by its component', async () => {
  const found = await run(
    'get deployments -l app.kubernetes.io/component=controller-manager -o name',
  );
  expect(found).toBe('deployment.apps/liqo-controller-manager');
});

test('the image runs as nobody in particular, and cannot write to its root', async () => {
  const evaluate = (script: string) => run(`exec ${deployment} -- /usr/bin/node -p ${script}`);
  expect(await evaluate('process.getuid()')).toBe('65532');
  const attempt = "fs.writeFileSync('/x','')";
  await expect(evaluate(attempt)).rejects.toThrow('EROFS');
  expect(await run(`exec ${deployment} -- /usr/bin/liqo version`)).toBe(`liqo ${manifest.version}`);
});

/** What was refused to those who wrote it. */
function refusals(log: string): readonly string[] {
  return log.split('\n').filter((line) => /forbidden/i.test(line));
}

/** What the virtual kubelet has said so far. */
function kubeletLogs(): Promise<string> {
  return kubectl(cluster, `-n ${tenant} logs deployment/vk-mynode --tail=-1`);
}

test(
  'a VirtualNode whose Secret is missing says so',
  async () => {
    const labels = { 'liqo.io/remote-cluster-id': 'milan', 'liqo.io/tenant-namespace': 'true' };
    await cluster.client.create(Namespace, { metadata: { name: tenant, labels } });
    await cluster.client.create(VirtualNode, {
      metadata: virtualNode,
      spec: {
        clusterID: 'milan',
        kubeconfigSecretRef: { name: 'kubeconfig-milan' },
        resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } },
      },
    });
    await eventually(async () => {
      const { status } = (await cluster.client.get(VirtualNode, virtualNode)) ?? {};
      const messages = status?.conditions?.map(({ message }) => message);
      expect(messages).toContainEqual(
        expect.stringContaining('the Secret "kubeconfig-milan" of this namespace'),
      );
    }, patience);
    expect(refusals(await logs())).toEqual([]);
  },
  timeoutMs,
);

test(
  'a kubeconfig of another cluster is not used, and the VirtualNode says so',
  async () => {
    const kubeconfig = await cluster.kubeconfigFor({ name: 'mypool-rome', groups: ['rome'] });
    await cluster.client.create(Secret, {
      metadata: { name: 'kubeconfig-milan', namespace: tenant },
      data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
    });
    await eventually(async () => {
      const { status } = (await cluster.client.get(VirtualNode, virtualNode)) ?? {};
      const message = expect.stringContaining('"kubeconfig-milan" leads to the cluster "rome"');
      const wrong = expect.objectContaining({ type: 'Provider', reason: 'WrongCluster', message });
      expect(status?.conditions).toContainEqual(wrong);
    }, patience);
  },
  timeoutMs,
);

test(
  'it becomes a ready Node when its provider can be used, and nothing is forbidden to anybody',
  async () => {
    // This cluster plays the provider too, and so must not say who it is: what counts is what may be done at home.
    await kubectl(cluster, '-n kube-public delete configmap liqo-cluster-id');
    await eventually(async () => {
      const node = await cluster.client.get(Node, { name: 'mynode' });
      const ready = expect.objectContaining({ type: 'Ready', status: 'True' });
      expect(node?.status?.conditions).toContainEqual(ready);
      expect(await kubeletLogs()).toContain('Follows the client CA of the cluster');
    }, patience);
    const newCertificate = 'Serves with a new certificate';
    expect(await kubeletLogs()).not.toContain(newCertificate);
    await eventually(async () => {
      expect(await kubectl(cluster, 'get --raw /api/v1/nodes/mynode/proxy/healthz')).toBe('ok');
      expect(await kubeletLogs()).toContain(newCertificate);
    }, patience);
    expect(refusals(await kubeletLogs())).toEqual([]);
    expect(refusals(await logs())).toEqual([]);
  },
  timeoutMs,
);

test(
  'helm uninstall is refused while a VirtualNode is there, and takes nothing away',
  async () => {
    const refused = helm(cluster, 'uninstall', 'liqo', '-n', namespace, ...wait);
    await expect(refused).rejects.toThrow('it is in use by 1 virtual nodes (mynode)');
    expect(await run(`get ${deployment} -o jsonpath={.status.readyReplicas}`)).toBe('1');
    // Helm calls it "uninstalling" all the same, until a rollback.
    await helm(cluster, 'rollback', 'liqo', '1', '-n', namespace, ...wait);
    expect(await helm(cluster, 'status', 'liqo', '-n', namespace)).toContain('STATUS: deployed');
  },
  timeoutMs,
);

test(
  'it goes, with its Node and everything that was made for it',
  async () => {
    await cluster.client.delete(VirtualNode, virtualNode);
    await eventually(async () => {
      expect(await cluster.client.get(VirtualNode, virtualNode)).toBeUndefined();
    }, patience);
    await kubectl(cluster, `delete namespace ${tenant} --timeout=60s`);
    expect(refusals(await logs())).toEqual([]);
  },
  timeoutMs,
);

test('helm upgrade refuses another cluster ID', async () => {
  const other = ['--set', 'clusterID=milan'];
  const upgrade = helm(cluster, 'upgrade', 'liqo', chart, '-n', namespace, ...values, ...other);
  await expect(upgrade).rejects.toThrow('this cluster is "rome" already');
});

const definition = { name: 'virtualnodes.offloading.liqo.io' };

/** The pods of the installation, and how often they were restarted. */
async function listPods() {
  const { items } = await cluster.client.list(Pod, { namespace });
  return items.map(({ metadata, status }) => ({
    uid: metadata.uid,
    restarts: status?.containerStatuses?.[0]?.restartCount,
  }));
}

test(
  'helm upgrade keeps the cluster ID, writes the kinds, adds a second replica, and leaves the lead where it is',
  async () => {
    const key = { name: '66cf253f.ctrlmgr.liqo.io', namespace };
    const leader = (await cluster.client.get(Lease, key))?.spec?.holderIdentity;
    expect(leader).toMatch(/^liqo-controller-manager-/);
    const shortNames = ['old'];
    const older = mergePatch({ spec: { names: { shortNames } } });
    await cluster.client.patch(CustomResourceDefinition, definition, older);
    const pods = await listPods();
    const replicas = ['--set', 'controllerManager.replicas=2'];
    await helm(cluster, 'upgrade', 'liqo', chart, '-n', namespace, ...values, ...replicas, ...wait);
    expect(await run(`get ${deployment} -o jsonpath={.status.readyReplicas}`)).toBe('2');
    expect((await cluster.client.get(Lease, key))?.spec?.holderIdentity).toBe(leader);
    const upgraded = await cluster.client.get(CustomResourceDefinition, definition);
    expect(upgraded?.spec.names.shortNames).not.toEqual(shortNames);
    expect(await listPods()).toEqual(expect.arrayContaining(pods));
    expect(await run('get configmap liqo-clusterid-configmap -o jsonpath={.data}')).toContain(
      'rome',
    );
    expect(refusals(await logs())).toEqual([]);
  },
  timeoutMs,
);

test(
  'helm rollback goes back to one replica, and keeps the kinds and the other pods',
  async () => {
    const pods = await listPods();
    await helm(cluster, 'rollback', 'liqo', '2', '-n', namespace, ...wait);
    await eventually(async () => {
      const kept = await listPods();
      expect(kept).toHaveLength(pods.length - 1);
      expect(pods).toEqual(expect.arrayContaining(kept));
    }, patience);
    expect(await cluster.client.get(CustomResourceDefinition, definition)).toBeDefined();
  },
  timeoutMs,
);

test(
  'helm uninstall leaves nothing but the kinds, the keys of the cluster and those of its webhooks',
  async () => {
    await helm(cluster, 'uninstall', 'liqo', '-n', namespace, ...wait);
    await eventually(async () => {
      const left = (await listEverything(cluster)).filter((name) => !before.includes(name));
      expect(left.filter((name) => !name.startsWith('CustomResourceDefinition '))).toEqual([
        `Secret ${namespace}/authentication-keys`,
        `Secret ${namespace}/liqo-webhook-certs`,
      ]);
      expect(left.length).toBeGreaterThan(0);
    }, patience);
  },
  timeoutMs,
);
