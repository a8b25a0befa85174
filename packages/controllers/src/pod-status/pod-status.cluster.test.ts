import { labels } from '@liqo/api';
import { mergePatch, Namespace, Node, Pod, ServiceAccount } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { isWrite } from '@liqo/testkit/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { startPodStatusController } from './pod-status-controller.ts';

const patient = { timeoutMs: 30_000 };
const namespace = 'shop';

describe('an offloaded pod', () => {
  let rome: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    rome = await startCluster('rome');
    await rome.client.create(Namespace, { metadata: { name: namespace } });
    await eventually(async () => {
      const account = await rome.client.get(ServiceAccount, { namespace, name: 'default' });
      expect(account).toBeDefined();
    }, patient);
    await rome.client.create(Node, { metadata: { name: 'mynode', labels: virtual } });
    await rome.client.create(Node, { metadata: { name: 'worker' } });
    await setReady('mynode', 'True');
    await createPod('web', 'mynode', { [labels.shadowPod]: 'true' });
    await createPod('not-yet', 'mynode', {});
    await createPod('local', 'worker', { [labels.shadowPod]: 'true' });
    controller = startPodStatusController(rome.context);
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await rome[Symbol.asyncDispose]();
  });

  const virtual = { [labels.type]: 'virtual-node' };

  async function createPod(name: string, nodeName: string, marks: Record<string, string>) {
    await rome.client.create(Pod, {
      metadata: { name, namespace, labels: { app: 'web', ...marks } },
      spec: {
        nodeName,
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'web', image: 'nginx' }],
      },
    });
  }

  async function setReady(name: string, status: 'True' | 'False' | 'Unknown'): Promise<void> {
    const conditions = [{ type: 'Ready', status, reason: 'Test' }];
    const patch = mergePatch({ status: { conditions } });
    await rome.client.patch(Node, { name }, patch, { subresource: 'status' });
  }

  async function marksOf(name: string) {
    return (await rome.client.get(Pod, { namespace, name }))?.metadata.labels ?? {};
  }

  test('is marked while its node is not ready, and no other pod is', async () => {
    await setReady('mynode', 'False');
    await eventually(async () => {
      expect(await marksOf('web')).toMatchObject({
        app: 'web',
        [labels.remoteUnavailable]: 'true',
      });
    }, patient);
    expect(await marksOf('not-yet')).not.toHaveProperty(labels.remoteUnavailable);
    expect(await marksOf('local')).not.toHaveProperty(labels.remoteUnavailable);
    await createPod('newcomer', 'mynode', { [labels.shadowPod]: 'true' });
    await eventually(async () => {
      expect(await marksOf('newcomer')).toHaveProperty(labels.remoteUnavailable, 'true');
    }, patient);
  });

  test('is not marked any more when its node is ready again', async () => {
    await setReady('mynode', 'Unknown');
    await setReady('mynode', 'True');
    await eventually(async () => {
      for (const name of ['web', 'newcomer']) {
        expect(await marksOf(name)).not.toHaveProperty(labels.remoteUnavailable);
      }
    }, patient);
  });

  test('is put right after a time without the controller, and otherwise left alone', async () => {
    await controller[Symbol.asyncDispose]();
    await setReady('mynode', 'False');
    rome.calls.calls.length = 0;
    controller = startPodStatusController(rome.context);
    await eventually(async () => {
      for (const name of ['web', 'newcomer']) {
        expect(await marksOf(name)).toHaveProperty(labels.remoteUnavailable, 'true');
      }
    }, patient);
    const writes = rome.calls.callsOf(controllersUser).filter(isWrite);
    expect(writes.map(({ name }) => name).sort()).toEqual(['newcomer', 'web']);
  });
});
