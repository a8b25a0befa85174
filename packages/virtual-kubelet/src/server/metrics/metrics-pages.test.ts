import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type InProcessAnswer,
  InProcessTransport,
  type Pod,
  type Stored,
} from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { HttpRefusal } from '../http-refusal.ts';
import { refuse } from '../respond.ts';
import type { MetricsPage } from '../route.ts';
import { MetricsPages } from './metrics-pages.ts';

const podOf = (namespace: string, name: string, uid: string): Stored<Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    namespace,
    name,
    uid,
    resourceVersion: '1',
    creationTimestamp: '2029-12-31T23:00:00Z',
  },
  spec: { containers: [{ name: 'main' }, { name: 'side' }] },
  status: {
    startTime: '2029-12-31T23:00:01Z',
    containerStatuses: [
      {
        name: 'main',
        ready: true,
        restartCount: 0,
        image: '',
        imageID: '',
        state: { running: { startedAt: '2029-12-31T23:00:02Z' } },
      },
    ],
  },
});

interface World {
  readonly clock: VirtualClock;
  readonly asked: string[];
  summary(): Promise<{ status: number; body: string }>;
  page(page: MetricsPage): Promise<{ status: number; body: string }>;
}

/** The pages, served for real, in front of a provider that answers what the test says. */
function start(answer: (path: string) => InProcessAnswer): World {
  const clock = new VirtualClock();
  const asked: string[] = [];
  const transport = new InProcessTransport(async ({ path }) => {
    asked.push(decodeURIComponent(path));
    return answer(path);
  });
  const client = new Client({ transport, clock, random: seededRandom(1) });
  const pods = [podOf('shop', 'web', 'u1'), podOf('bank', 'vault', 'u2')];
  const pages = new MetricsPages({
    clock,
    nodeName: 'mynode',
    consumerClusterID: 'rome',
    provider: () => ({ client, remoteNamespace: (namespace) => `${namespace}-rome` }),
    pods: () => pods,
  });
  const serve = async (
    work: (response: Parameters<MetricsPages['serveSummary']>[0]) => unknown,
  ) => {
    const server = createServer(async (_, response) => {
      try {
        await work(response);
      } catch (error) {
        if (error instanceof HttpRefusal) refuse(response, error);
        else response.destroy();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
    const result = { status: reply.status, body: await reply.text() };
    await new Promise((resolve) => server.close(resolve));
    return result;
  };
  return {
    clock,
    asked,
    summary: () => serve((response) => pages.serveSummary(response)),
    page: (page) => serve((response) => pages.servePage(page, response)),
  };
}

const metricsOf = (name: string, timestamp: string, cpu: string) => ({
  metadata: { name },
  timestamp,
  containers: [
    { name: 'main', usage: { cpu, memory: '64Mi' } },
    { name: 'stranger', usage: { cpu: '1', memory: '1Gi' } },
  ],
});

function measuring(readings: () => readonly object[]) {
  return (path: string): InProcessAnswer =>
    path.startsWith('/apis/metrics.k8s.io/v1beta1/namespaces/shop-rome/')
      ? { status: 200, body: JSON.stringify({ items: readings() }) }
      : { status: 404, body: 'no' };
}

test('the summary tells what the provider has measured of our pods, and nothing of others', async () => {
  const at = '2030-01-01T00:00:00Z';
  const world = start(measuring(() => [metricsOf('web', at, '250m'), metricsOf('alien', at, '9')]));
  const summary = JSON.parse((await world.summary()).body);
  expect(world.asked).toEqual([
    '/apis/metrics.k8s.io/v1beta1/namespaces/shop-rome/pods?labelSelector=offloading.liqo.io/nodename=mynode',
    '/apis/metrics.k8s.io/v1beta1/namespaces/bank-rome/pods?labelSelector=offloading.liqo.io/nodename=mynode',
  ]);
  expect(summary.node).toMatchObject({
    nodeName: 'mynode',
    cpu: { usageNanoCores: 250_000_000 },
    memory: { workingSetBytes: 64 * 1024 * 1024 },
  });
  expect(summary.pods).toMatchObject([
    {
      podRef: { namespace: 'shop', name: 'web', uid: 'u1' },
      startTime: '2029-12-31T23:00:01Z',
      containers: [
        { name: 'main', cpu: { time: at, usageNanoCores: 250_000_000 } },
        { name: 'side' },
      ],
    },
    { podRef: { namespace: 'bank', name: 'vault' }, cpu: { usageNanoCores: 0 } },
  ]);
});

test('/metrics/resource makes time of usage: it goes on from look to look, and never back', async () => {
  let readings = [metricsOf('web', '2030-01-01T00:00:00Z', '500m')];
  const world = start(measuring(() => readings));
  const cpu = async () => {
    const { body } = await world.page('metrics/resource');
    return /^container_cpu_usage_seconds_total\{container="main",namespace="shop",pod="web"\} (.*)$/m.exec(
      body,
    )?.[1];
  };
  expect(await cpu()).toBe(`0 ${Date.UTC(2030, 0, 1)}`);
  readings = [metricsOf('web', '2030-01-01T00:00:10Z', '500m')];
  expect(await cpu()).toBe(`5 ${Date.UTC(2030, 0, 1, 0, 0, 10)}`);
  expect(await cpu()).toBe(`5 ${Date.UTC(2030, 0, 1, 0, 0, 10)}`);
  readings = [metricsOf('web', '2030-01-01T00:00:14Z', '250m')];
  expect(await cpu()).toBe(`6 ${Date.UTC(2030, 0, 1, 0, 0, 14)}`);
});

test('/metrics/resource is what metrics-server reads', async () => {
  const world = start(measuring(() => [metricsOf('web', '2030-01-01T00:00:00Z', '1')]));
  const { body } = await world.page('metrics/resource');
  const now = world.clock.now();
  for (const line of [
    '# TYPE container_cpu_usage_seconds_total counter',
    `container_memory_working_set_bytes{container="main",namespace="shop",pod="web"} 67108864 ${now}`,
    'container_start_time_seconds{container="main",namespace="shop",pod="web"} 1893452402',
    `pod_memory_working_set_bytes{namespace="shop",pod="web"} 67108864 ${now}`,
    `node_memory_working_set_bytes 67108864 ${now}`,
    'resource_scrape_error 0',
  ]) {
    expect(body.split('\n')).toContain(line);
  }
  expect(body).not.toContain('vault');
});

test.each([403, 404])(
  'a provider that answers %i has no metrics, which is no error',
  async (status) => {
    const world = start(() => ({ status, body: 'no' }));
    expect(await world.page('metrics')).toMatchObject({
      status: 200,
      body: expect.stringMatching(/^#/),
    });
    expect(JSON.parse((await world.summary()).body).pods).toHaveLength(2);
  },
);

test('a provider that is in trouble is told of', async () => {
  const world = start(() => ({ status: 500, body: 'etcd is full' }));
  const refusal = { status: 500, body: 'The server answered 500: etcd is full' };
  expect(await world.page('metrics/probes')).toEqual(refusal);
  expect(await world.summary()).toEqual(refusal);
});

test('the pages of a metric agent are passed on as they are', async () => {
  const world = start(() => ({ status: 200, body: 'cpu 1\n' }));
  for (const page of [
    'metrics',
    'metrics/cadvisor',
    'metrics/resource',
    'metrics/probes',
  ] as const) {
    expect(await world.page(page)).toEqual({ status: 200, body: 'cpu 1\n' });
    expect(world.asked.at(-1)).toBe(`/apis/metrics.liqo.io/v1beta1/scrape/rome/${page}`);
  }
});

test('what a provider makes up is taken for nothing', async () => {
  const wild = [
    {
      metadata: { name: 'web' },
      timestamp: 'soon',
      containers: [{ name: 'main', usage: { cpu: 'lots', memory: '-5' } }],
    },
  ];
  const world = start(measuring(() => wild));
  expect(JSON.parse((await world.summary()).body).node).toMatchObject({
    cpu: { usageNanoCores: 0 },
    memory: { workingSetBytes: 0 },
  });
});
