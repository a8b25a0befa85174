import { NamespaceOffloading } from '@liqo/api';
import { Event, mergePatch, Namespace } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { startEnabledNamespaceController } from './enabled-namespace-controller.ts';
import { startNamespaceOffloadingController } from './namespace-offloading-controller.ts';

describe('a namespace with the label liqo.io/enabled', () => {
  let rome: TestCluster;
  let running: Stoppable[];

  beforeAll(async () => {
    rome = await startCluster('rome');
    running = start();
  });

  afterAll(async () => {
    await stop();
    await rome[Symbol.asyncDispose]();
  });

  function start(): Stoppable[] {
    return [
      startNamespaceOffloadingController(rome.context),
      startEnabledNamespaceController(rome.context),
    ];
  }

  async function stop(): Promise<void> {
    for (const part of running) await part[Symbol.asyncDispose]();
  }

  async function createNamespace(name: string, enabled?: string): Promise<void> {
    const labels = enabled === undefined ? {} : { 'liqo.io/enabled': enabled };
    await rome.client.create(Namespace, { metadata: { name, labels } });
  }

  async function label(name: string, enabled: string | null): Promise<void> {
    const change = { metadata: { labels: { 'liqo.io/enabled': enabled } } };
    await rome.client.patch(Namespace, { name }, mergePatch(change));
  }

  const keyIn = (namespace: string) => ({ namespace, name: 'offloading' });

  function offloadingIn(namespace: string) {
    return rome.client.get(NamespaceOffloading, keyIn(namespace));
  }

  function offloaded(namespace: string) {
    return eventually(async () => {
      const offloading = await offloadingIn(namespace);
      expect(offloading?.status?.offloadingPhase).toBe('NoClusterSelected');
      return offloading;
    });
  }

  function notOffloaded(namespace: string) {
    return eventually(async () => expect(await offloadingIn(namespace)).toBeUndefined());
  }

  async function createOffloading(namespace: string): Promise<void> {
    await rome.client.create(NamespaceOffloading, {
      metadata: keyIn(namespace),
      spec: { namespaceMappingStrategy: 'EnforceSameName', podOffloadingStrategy: 'Remote' },
    });
  }

  test('is offloaded with the default strategy, until the label is removed', async () => {
    await createNamespace('demo');
    await label('demo', 'true');
    expect((await offloaded('demo'))?.spec).toMatchObject({
      namespaceMappingStrategy: 'DefaultName',
      podOffloadingStrategy: 'LocalAndRemote',
    });
    await label('demo', null);
    await notOffloaded('demo');
  });

  test('is no longer offloaded with the value false', async () => {
    await createNamespace('shut', 'true');
    await offloaded('shut');
    await label('shut', 'false');
    await notOffloaded('shut');
  });

  test('is offloaded again after its NamespaceOffloading was deleted', async () => {
    await createNamespace('lasting', 'true');
    const before = await offloaded('lasting');
    await rome.client.delete(NamespaceOffloading, keyIn('lasting'));
    await eventually(async () => {
      const after = await offloadingIn('lasting');
      expect(after).toBeDefined();
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    });
  });

  test('keeps the NamespaceOffloading that the user made, with the label and without', async () => {
    await createNamespace('own');
    await createOffloading('own');
    const { metadata } = (await offloaded('own')) ?? {};
    await label('own', 'true');
    await createNamespace('marker', 'true');
    await offloaded('marker');
    await label('own', null);
    await label('marker', null);
    await notOffloaded('marker');
    const { metadata: kept, spec } = (await offloadingIn('own')) ?? {};
    expect(kept).toMatchObject({ uid: metadata?.uid, generation: 1 });
    expect(kept).not.toHaveProperty('deletionTimestamp');
    expect(spec?.podOffloadingStrategy).toBe('Remote');
  });

  test('keeps the one that it had once the user has taken it over', async () => {
    await createNamespace('taken', 'true');
    await offloaded('taken');
    const change = { metadata: { annotations: { 'liqo.io/enabled-namespace': null } } };
    await rome.client.patch(NamespaceOffloading, keyIn('taken'), mergePatch(change));
    await label('taken', null);
    await createNamespace('second-marker', 'true');
    await offloaded('second-marker');
    expect((await offloadingIn('taken'))?.metadata).not.toHaveProperty('deletionTimestamp');
  });

  test('is followed by controllers that start later', async () => {
    await createNamespace('before', 'true');
    await offloaded('before');
    await stop();
    await label('before', null);
    await createNamespace('meanwhile', 'true');
    running = start();
    await notOffloaded('before');
    await offloaded('meanwhile');
  });

  test('is deleted with everything in it', async () => {
    await createNamespace('brief', 'true');
    await offloaded('brief');
    await rome.client.delete(Namespace, { name: 'brief' });
    await eventually(async () => {
      expect(await rome.client.get(Namespace, { name: 'brief' })).toBeUndefined();
    });
  });

  test('of Kubernetes itself is refused by an Event', async () => {
    await label('kube-public', 'true');
    await eventually(async () => {
      const { items } = await rome.client.list(Event, { namespace: 'default' });
      const notes = items.map(({ regarding, note }) => [regarding?.name, note]);
      expect(notes).toContainEqual([
        'kube-public',
        'The label liqo.io/enabled has no effect: "kube-public" is a namespace of Kubernetes itself',
      ]);
    });
    expect(await offloadingIn('kube-public')).toBeUndefined();
  });
});
