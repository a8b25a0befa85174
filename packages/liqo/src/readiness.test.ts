import { allKinds, forgeCustomResourceDefinition } from '@liqo/api';
import { CustomResourceDefinition } from '@liqo/kube';
import { chooseFreePort, eventually } from '@liqo/testkit';
import { startTestCluster } from '@liqo/testkit/cluster';
import { isList } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { runLiqo } from './run-liqo.ts';

const kubeletFlags = {
  nodename: 'mynode',
  'tenant-namespace': 'liqo-tenant-milan',
  'foreign-cluster-id': 'milan',
  'foreign-kubeconfig-secret-name': 'milan',
  'home-cluster-id': 'rome',
  'node-ip': '127.0.0.1',
  'listen-port': '0',
  'certificate-type': 'self-signed',
  'metrics-enabled': 'true',
};

const rome = { 'cluster-id': 'rome' };

test.each([
  ['controller-manager', 'health-probe-address', rome, 'separate'],
  ['virtual-kubelet', 'metrics-address', kubeletFlags, 'with the health pages'],
])(
  '/readyz of liqo %s names the caches that are not complete, and is well when they are',
  async (command, addressFlag, flags, metrics) => {
    await using world = await startTestCluster({ namespaces: ['liqo', 'liqo-tenant-milan'] });
    const { admin, clock, random, faults } = world;
    for (const kind of allKinds) {
      await admin.create(CustomResourceDefinition, forgeCustomResourceDefinition(kind));
    }
    await clock.advance(10_000);
    let completeLists: (() => void) | undefined;
    const holdHeaders = new Promise<void>((resolve) => {
      completeLists = resolve;
    });
    faults.plan = (call) =>
      isList(call) && call.resource.startsWith('virtualnodes') ? { holdHeaders } : undefined;
    const stop = new AbortController();
    const port = await chooseFreePort('127.0.0.1');
    const metricsPort = metrics === 'separate' ? await chooseFreePort('127.0.0.1') : port;
    const given = {
      ...flags,
      [addressFlag]: `127.0.0.1:${port}`,
      'metrics-address': `127.0.0.1:${metricsPort}`,
      'log-level': 'error',
    };
    const running = runLiqo(
      [command, ...Object.entries(given).map(([flag, value]) => `--${flag}=${value}`)],
      {
        env: { POD_NAME: 'test' },
        clock,
        random,
        stdout: { write: () => undefined },
        stderr: { write: () => undefined },
        signal: stop.signal,
        connectHome: async () => world.clientOf('liqo'),
        connectPeer: async () => world.clientOf('liqo'),
        kubeletAddress: { host: '127.0.0.1', port: 0 },
        isProcess: false,
      },
    );
    const ask = async (path: string, at = port) => {
      await clock.advance(100);
      const response = await fetch(`http://127.0.0.1:${at}${path}`);
      return { status: response.status, text: await response.text() };
    };
    await eventually(async () => {
      const { status, text } = await ask('/readyz');
      expect(text).toContain('failed: waiting for the caches of VirtualNode\n');
      expect(status).toBe(500);
    });
    expect(await ask('/healthz')).toEqual({ status: 200, text: 'ok' });
    completeLists?.();
    await eventually(async () => expect((await ask('/readyz')).text).toBe('ok'));
    const counted = /rest_client_requests_total\{code="200",host="in-process",method="GET"\} \d+/;
    expect((await ask('/metrics', metricsPort)).text).toMatch(counted);
    if (metrics === 'separate') expect((await ask('/metrics')).status).toBe(404);
    stop.abort();
    const isOver = { now: false };
    void running.then(() => Object.assign(isOver, { now: true }));
    await eventually(async () => {
      await clock.advance(1_000);
      expect(isOver.now).toBe(true);
    });
    expect(await running).toBe(0);
  },
  60_000,
);
