import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finalizers, NamespaceMap, ShadowPod, VirtualNode } from '@liqo/api';
import { CustomResourceDefinition, mergePatch, Namespace, TransportError } from '@liqo/kube';
import { defaultValues, forgeKinds, forgeManifests, kindOfManifest } from '@liqo/manifests';
import { type Minicluster, startMinicluster } from '@liqo/minicluster';
import { systemClock, systemRandom } from '@liqo/runtime';
import { eventually, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import type { Surroundings } from '../surroundings.ts';
import { type Outcome, runHere, successful } from '../testing/run-here.ts';
import { repeatInTime } from './in-time.ts';

const tenant = 'liqo-tenant-milan';

const held = { namespace: tenant, finalizers: Object.values(finalizers) };

/** A cluster in which nothing of Liqo runs any more: its webhooks are configured, and nothing answers for them. */
async function startAbandoned(): Promise<Minicluster> {
  const rome = await startMinicluster({ name: 'rome', clock: systemClock, random: systemRandom });
  const { client } = rome;
  for (const kind of forgeKinds()) await client.create(CustomResourceDefinition, kind);
  await eventually(() => client.list(VirtualNode));
  const present = /^(Namespace|Service|(Mutating|Validating)WebhookConfiguration)$/;
  for (const object of forgeManifests({ ...defaultValues, clusterID: 'rome' })) {
    if (present.test(object.kind ?? '')) await client.create(kindOfManifest(object), object);
  }
  const labels = { 'liqo.io/remote-cluster-id': 'milan', 'liqo.io/tenant-namespace': 'true' };
  await client.create(Namespace, { metadata: { name: tenant, labels } });
  return rome;
}

function uninstall(
  kubeconfig: string,
  timeout: string,
  around: Partial<Surroundings> = {},
): Promise<Outcome> {
  const line = `uninstall --force --purge --skip-confirm --timeout ${timeout}`;
  return runHere(line.split(' '), { ...around, env: { KUBECONFIG: kubeconfig } });
}

/** Ends the command as soon as it has reported so many steps. */
async function uninstallUntil(kubeconfig: string, steps: number): Promise<number> {
  const stop = new AbortController();
  let said = '';
  const write = (text: string) => {
    said += text;
    if (said.split('✔').length > steps) stop.abort();
  };
  const stderr = { write, isTerminal: false };
  const { code } = await uninstall(kubeconfig, '6s', { signal: stop.signal, stderr });
  return code;
}

async function timed(running: Promise<Outcome>) {
  const startedMs = systemClock.monotonicMs();
  const outcome = await running;
  return { ...outcome, tookMs: systemClock.monotonicMs() - startedMs };
}

async function expectNothing({ client }: Minicluster): Promise<void> {
  await eventually(async () => {
    expect(await client.list(CustomResourceDefinition)).toMatchObject({ items: [] });
    const { items } = await client.list(Namespace);
    const names = items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.startsWith('liqo'))).toEqual([]);
  });
}

test('uninstall leaves nothing of many objects that dead controllers hold', async () => {
  await using rome = await startAbandoned();
  for (let index = 0; index < 100; index += 1) {
    await rome.client.create(NamespaceMap, {
      metadata: { ...held, name: `map-${index}` },
      spec: {},
    });
  }
  await successful(uninstall(rome.kubeconfig, '30s'));
  await expectNothing(rome);
}, 60_000);

test('uninstall ends in time where a finalizer of another product holds an object, and names it', async () => {
  await using rome = await startAbandoned();
  const key = { name: 'backed-up', namespace: tenant };
  await rome.client.create(NamespaceMap, {
    metadata: { ...key, finalizers: ['example.org/backup'] },
    spec: {},
  });
  const { code, stderr, tookMs } = await timed(uninstall(rome.kubeconfig, '6s'));
  expect({ code, stderr }).toMatchObject({ code: 1 });
  expect(stderr).toContain(
    `the NamespaceMap "backed-up" in "${tenant}" is held by the finalizer "example.org/backup"`,
  );
  expect(stderr).toContain('Run it again');
  expect(tookMs).toBeLessThan(9_000);
  await rome.client.patch(NamespaceMap, key, mergePatch({ metadata: { finalizers: null } }));
  await successful(uninstall(rome.kubeconfig, '30s'));
  await expectNothing(rome);
}, 60_000);

test('uninstall goes on where some kinds are gone already', async () => {
  await using rome = await startAbandoned();
  for (const name of ['foreignclusters.core.liqo.io', 'shadowpods.offloading.liqo.io']) {
    await rome.client.delete(CustomResourceDefinition, { name });
  }
  await eventually(() => expect(rome.client.list(ShadowPod)).rejects.toThrow('404'));
  await successful(uninstall(rome.kubeconfig, '30s'));
  await expectNothing(rome);
}, 60_000);

test('uninstall goes on where it was interrupted', async () => {
  await using rome = await startAbandoned();
  for (const steps of [1, 2]) {
    expect(await uninstallUntil(rome.kubeconfig, steps)).not.toBe(0);
  }
  await successful(uninstall(rome.kubeconfig, '30s'));
  await expectNothing(rome);
}, 60_000);

test('uninstall ends in time where the API server does not answer', async () => {
  await using server = await startSilentServer();
  const folder = mkdtempSync(join(tmpdir(), 'liqoctl-uninstall-'));
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  const { code, stderr, tookMs } = await timed(uninstall(kubeconfig, '1s'));
  rmSync(folder, { recursive: true });
  expect(code).toBe(1);
  expect(stderr).toContain('the API server does not answer in time');
  expect(tookMs).toBeLessThan(4_000);
});

test.each([
  ['never ends', () => new Promise<never>(() => undefined)],
  [
    'fails for a moment again and again',
    () => Promise.reject(new TransportError('refused', { sent: false })),
  ],
])('repeatInTime() gives up work that %s', async (_, work) => {
  const clock = new VirtualClock();
  const around = { clock } as Partial<Surroundings> as Surroundings;
  const call = { around, signal: new AbortController().signal };
  const outcome = repeatInTime(call, 1_000, (signal) => Promise.race([work(), aborted(signal)]));
  await clock.advance(1_001);
  expect(await outcome).toBeUndefined();
});

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );

/** Accepts connections, and says nothing on them. */
async function startSilentServer() {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
    clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
    users: [{ name: 'u', user: { token: 'x' } }],
  });
  return {
    kubeconfig,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
