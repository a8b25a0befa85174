import { type Client, mergePatch, Pod, ReplicaSet } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { untilControllersKnow } from './known-pods.ts';
import { namesOf, podTemplate, runPod } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/** What the ReplicaSet controller does. */
export function replicaSets(subject: GetSubject): void {
  describe('ReplicaSet', () => {
    const labels = { app: 'web' };
    const make = async (replicas: number, spec: object = {}) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const key = { namespace, name: 'web' };
      const template = podTemplate(labels);
      const selector = { matchLabels: labels };
      const made = await client.create(ReplicaSet, {
        metadata: key,
        spec: { replicas, selector, template, ...spec },
      });
      return { client, namespace, key, made };
    };
    const scale = (client: Client, key: { namespace: string; name: string }, replicas: number) =>
      client.patch(ReplicaSet, key, mergePatch({ spec: { replicas } }));

    test('it makes the pods of its template, and they are its own', async () => {
      const { client, namespace, made } = await make(3);
      const pods = await untilPods(client, namespace, 3);
      for (const pod of pods) {
        expect(pod.metadata).toMatchObject({
          name: expect.stringMatching(/^web-[a-z0-9]{5}$/),
          generateName: 'web-',
          labels,
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name: 'web',
              uid: made.metadata.uid,
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        });
      }
    });

    test('its status counts ready and available pods', async () => {
      const { client, namespace, key } = await make(2);
      const [one] = await untilPods(client, namespace, 2);
      const status = async () => (await client.get(ReplicaSet, key))?.status;
      await eventually(async () =>
        expect(await status()).toEqual({
          replicas: 2,
          fullyLabeledReplicas: 2,
          observedGeneration: 1,
          terminatingReplicas: 0,
        }),
      );
      await runPod(client, { namespace, name: one?.metadata.name ?? '' });
      await eventually(async () =>
        expect(await status()).toMatchObject({ readyReplicas: 1, availableReplicas: 1 }),
      );
    });

    test('a pod is available only after minReadySeconds', async () => {
      const { client, namespace, key } = await make(1, { minReadySeconds: 5 });
      const [pod] = await untilPods(client, namespace, 1);
      await runPod(client, { namespace, name: pod?.metadata.name ?? '' });
      const status = async () => (await client.get(ReplicaSet, key))?.status;
      const early = await eventually(async () => {
        const seen = await status();
        expect(seen?.readyReplicas).toBe(1);
        return seen;
      });
      expect(early?.availableReplicas).toBeUndefined();
      await eventually(async () => expect(await status()).toMatchObject({ availableReplicas: 1 }));
    });

    test('a pod that is deleted or has failed is replaced', async () => {
      const { client, namespace } = await make(2);
      const [one, two] = await untilPods(client, namespace, 2);
      await client.delete(Pod, { namespace, name: one?.metadata.name ?? '' });
      const failed = { namespace, name: two?.metadata.name ?? '' };
      await client.patch(Pod, failed, mergePatch({ status: { phase: 'Failed' } }), {
        subresource: 'status',
      });
      await eventually(async () => {
        const { items } = await client.list(Pod, { namespace });
        expect(items).toHaveLength(3);
        expect(items.filter(({ status }) => status?.phase === 'Pending')).toHaveLength(2);
      });
    });

    test('scaled down, it keeps the pods that are ready', async () => {
      const { client, namespace, key } = await make(4);
      const pods = await untilPods(client, namespace, 4);
      const ready = namesOf(pods).slice(1, 3);
      for (const name of ready) await runPod(client, { namespace, name });
      await eventually(async () => {
        expect((await client.get(ReplicaSet, key))?.status?.readyReplicas).toBe(2);
      });
      await scale(client, key, 2);
      await eventually(async () => {
        expect(namesOf((await client.list(Pod, { namespace })).items)).toEqual(ready);
      });
    });

    test('scaled down, it takes the pod with the lowest deletion cost', async () => {
      const { client, namespace, key } = await make(3);
      const names = namesOf(await untilPods(client, namespace, 3));
      for (const [index, name] of names.entries()) {
        const cost = { 'controller.kubernetes.io/pod-deletion-cost': String(-index) };
        const patch = mergePatch({ metadata: { annotations: cost } });
        await client.patch(Pod, { namespace, name }, patch);
        await runPod(client, { namespace, name });
      }
      await eventually(async () => {
        expect((await client.get(ReplicaSet, key))?.status?.readyReplicas).toBe(3);
      });
      await scale(client, key, 1);
      await eventually(async () => {
        const left = namesOf((await client.list(Pod, { namespace })).items);
        expect(left).toEqual(names.slice(0, 1));
      });
    });

    test('it adopts a pod that matches and belongs to nobody', async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const { spec } = podTemplate(labels);
      await client.create(Pod, { metadata: { namespace, name: 'orphan', labels }, spec });
      await untilControllersKnow(client, namespace, labels);
      const selector = { matchLabels: labels };
      const owner = await client.create(ReplicaSet, {
        metadata: { namespace, name: 'web' },
        spec: { replicas: 1, selector, template: podTemplate(labels) },
      });
      await eventually(async () => {
        const orphan = await client.get(Pod, { namespace, name: 'orphan' });
        expect(orphan?.metadata.ownerReferences?.[0]?.uid).toBe(owner.metadata.uid);
      });
      await eventually(async () => {
        const seen = await client.get(ReplicaSet, { namespace, name: 'web' });
        expect(seen?.status).toMatchObject({ replicas: 1 });
      });
      expect((await client.list(Pod, { namespace })).items).toHaveLength(1);
    });

    test('it releases a pod that matches no more, and makes another', async () => {
      const { client, namespace } = await make(1);
      const [pod] = await untilPods(client, namespace, 1);
      const name = pod?.metadata.name ?? '';
      const change = mergePatch({ metadata: { labels: { app: 'debug' } } });
      await client.patch(Pod, { namespace, name }, change);
      await eventually(async () => {
        expect((await client.list(Pod, { namespace })).items).toHaveLength(2);
        const released = await client.get(Pod, { namespace, name });
        expect(released?.metadata.ownerReferences).toBeUndefined();
      });
    });
  });
}

function untilPods(client: Client, namespace: string, count: number) {
  return eventually(async () => {
    const { items } = await client.list(Pod, { namespace });
    expect(items).toHaveLength(count);
    return items;
  });
}
