import {
  ForeignCluster,
  forgeCustomResourceDefinition,
  NamespaceMap,
  ShadowPod,
  VirtualNode,
} from '@liqo/api';
import {
  type Client,
  CustomResourceDefinition,
  findCondition,
  isConditionTrue,
  Namespace,
  Node,
  Secret,
} from '@liqo/kube';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runLiqo } from '../run-liqo.ts';
import type { HomeCaller } from '../surroundings.ts';

const patient = { timeoutMs: 40_000 };
const namespace = 'liqo-tenant-milan';
const names = ['one', 'two', 'three'];
const clock = systemClock;
const random = systemRandom;
const admin = { name: 'kubelet', groups: ['system:masters'] };

let cluster: Minicluster;
let client: Client;

beforeAll(async () => {
  cluster = await startMinicluster({ clock, random });
  client = cluster.client;
  await installKinds();
  await client.create(Namespace, { metadata: { name: namespace } });
  const data = { kubeconfig: Buffer.from('milan').toString('base64') };
  await client.create(Secret, { metadata: { namespace, name: 'milan' }, data });
  for (const name of names) {
    await client.create(VirtualNode, {
      metadata: { namespace, name },
      spec: { clusterID: 'milan', resourceQuota: { hard: { cpu: '1', memory: '1Gi' } } },
    });
  }
}, 60_000);
afterAll(() => cluster[Symbol.asyncDispose]());

async function installKinds(): Promise<void> {
  for (const kind of [ForeignCluster, NamespaceMap, ShadowPod, VirtualNode]) {
    await client.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
  }
  await eventually(async () => {
    const { items } = await client.list(CustomResourceDefinition);
    for (const { status } of items) {
      expect(isConditionTrue(status?.conditions, 'Established')).toBe(true);
    }
  }, patient);
}

test('liqo virtual-kubelet serves several virtual nodes, each at a port of its own', async () => {
  const stop = new AbortController();
  const callers: HomeCaller[] = [];
  const args = {
    nodename: names.join(),
    'tenant-namespace': namespace,
    'foreign-cluster-id': 'milan',
    'foreign-kubeconfig-secret-name': 'milan',
    'home-cluster-id': 'rome',
    'node-ip': '127.0.0.1',
    'listen-port': '0',
    'certificate-type': 'self-signed',
  };
  const fromLiqo = ['--node-ping-interval', '5s', '--resync-period=10h', '-v=4'];
  const again = ['--resync-period=12h', '--enable-profiling=false'];
  const words = [
    ...Object.entries(args).map(([flag, value]) => `--${flag}=${value}`),
    ...fromLiqo,
    ...again,
  ];
  let log = '';
  const running = runLiqo(['virtual-kubelet', ...words], {
    env: {},
    clock,
    random,
    stdout: { write: () => undefined },
    stderr: { write: (text) => (log += text) },
    signal: stop.signal,
    connectHome: async (caller) => {
      callers.push(caller);
      return cluster.clientFor(admin);
    },
    connectPeer: async () => cluster.clientFor(admin),
    kubeletAddress: { host: '127.0.0.1', port: 0 },
    isProcess: false,
  });
  await eventually(async () => {
    const nodes = await Promise.all(names.map((name) => client.get(Node, { name })));
    const states = nodes.map((node) => findCondition(node?.status?.conditions, 'Ready')?.status);
    expect(states).toEqual(['True', 'True', 'True']);
    const ports = nodes.map((node) => node?.status?.daemonEndpoints?.kubeletEndpoint?.Port);
    expect(new Set(ports).size).toBe(3);
  }, patient);
  // One that asks for less at a time than others do.
  expect(callers).toEqual([{ userAgent: 'virtual-kubelet', limit: { queue: 1 } }]);
  stop.abort();
  expect(await running).toBe(0);
  const lines = log.trim().split('\n');
  const records = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(records.filter(({ msg }) => msg === 'Ignored flags without effect')).toMatchObject([
    { level: 'info', flags: ['--node-ping-interval', '--resync-period', '--enable-profiling'] },
  ]);
  expect(records.some(({ level }) => level === 'debug')).toBe(true);
}, 90_000);
