import {
  type Client,
  ControllerRevision,
  mergePatch,
  PersistentVolumeClaim,
  Pod,
  StatefulSet,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { finishPod, namesOf, podTemplate, runPod } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const labels = { app: 'db' };
const patiently = { timeoutMs: 30_000 };

/** What the StatefulSet controller does. */
export function statefulSets(subject: GetSubject): void {
  describe('StatefulSet', () => {
    const make = async (replicas: number, spec: object = {}) => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'db' };
      const selector = { matchLabels: labels };
      const template = podTemplate(labels);
      const made = await client.create(StatefulSet, {
        metadata: key,
        spec: { replicas, serviceName: 'db', selector, template, ...spec },
      });
      return { client, key, made, namespace: key.namespace };
    };

    test('it makes pods one after the other, each with a name that stays', async () => {
      const { client, namespace, key, made } = await make(2);
      const [first] = await untilPods(client, namespace, ['db-0']);
      const revision = await eventually(async () => {
        const { status } = (await client.get(StatefulSet, key)) ?? {};
        expect(status?.updateRevision).toMatch(/^db-[a-z0-9]+$/);
        return status?.updateRevision ?? '';
      });
      expect(first).toMatchObject({
        metadata: {
          generateName: 'db-',
          labels: {
            app: 'db',
            'apps.kubernetes.io/pod-index': '0',
            'controller-revision-hash': revision,
            'statefulset.kubernetes.io/pod-name': 'db-0',
          },
          ownerReferences: [{ kind: 'StatefulSet', uid: made.metadata.uid, controller: true }],
        },
        spec: { hostname: 'db-0', subdomain: 'db' },
      });
      await runPod(client, { namespace, name: 'db-0' });
      await untilPods(client, namespace, ['db-0', 'db-1']);
      await runPod(client, { namespace, name: 'db-1' });
      await eventually(async () => {
        expect((await client.get(StatefulSet, key))?.status).toEqual({
          observedGeneration: 1,
          replicas: 2,
          readyReplicas: 2,
          currentReplicas: 2,
          updatedReplicas: 2,
          availableReplicas: 2,
          collisionCount: 0,
          currentRevision: revision,
          updateRevision: revision,
        });
      });
      const revisions = await client.list(ControllerRevision, { namespace });
      expect(namesOf(revisions.items)).toEqual([revision]);
    });

    test('in parallel, it makes all pods at once', async () => {
      const { client, namespace } = await make(3, { podManagementPolicy: 'Parallel' });
      await untilPods(client, namespace, ['db-0', 'db-1', 'db-2']);
    });

    test('every pod has claims of its own, which outlive it', async () => {
      const resources = { requests: { storage: '1Gi' } };
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources },
      };
      const { client, namespace, key } = await make(1, { volumeClaimTemplates: [claim] });
      const [pod] = await untilPods(client, namespace, ['db-0']);
      expect(pod?.spec?.volumes).toContainEqual({
        name: 'data',
        persistentVolumeClaim: { claimName: 'data-db-0' },
      });
      await client.patch(StatefulSet, key, mergePatch({ spec: { replicas: 0 } }));
      await untilPods(client, namespace, []);
      const claims = (await client.list(PersistentVolumeClaim, { namespace })).items;
      expect(claims).toMatchObject([{ metadata: { name: 'data-db-0', labels } }]);
    });

    test('scaled down, it removes the highest number first', async () => {
      const { client, namespace, key } = await make(3, { podManagementPolicy: 'Parallel' });
      await runAll(client, namespace, 3);
      await client.patch(StatefulSet, key, mergePatch({ spec: { replicas: 1 } }));
      await untilPods(client, namespace, ['db-0']);
    });

    test('a pod that is gone, or has ended, comes back under its name', async () => {
      const { client, namespace } = await make(2, { podManagementPolicy: 'Parallel' });
      const before = await untilPods(client, namespace, ['db-0', 'db-1']);
      const uids = before.map(({ metadata }) => metadata.uid);
      await client.delete(Pod, { namespace, name: 'db-0' });
      await finishPod(client, { namespace, name: 'db-1' }, 'Failed');
      await eventually(async () => {
        const { items } = await client.list(Pod, { namespace });
        expect(namesOf(items)).toEqual(['db-0', 'db-1']);
        for (const { metadata } of items) expect(uids).not.toContain(metadata.uid);
      });
    });

    test('an update goes from the highest number down, as far as the partition', async () => {
      const { client, namespace, key } = await make(3, { podManagementPolicy: 'Parallel' });
      await runAll(client, namespace, 3);
      await eventually(async () => {
        expect((await client.get(StatefulSet, key))?.status?.readyReplicas).toBe(3);
      });
      const { containers } = podTemplate(labels, 'example.org/app:2').spec;
      const updateStrategy = { rollingUpdate: { partition: 1 } };
      await client.patch(
        StatefulSet,
        key,
        mergePatch({ spec: { updateStrategy, template: { spec: { containers } } } }),
      );
      const images = async () => {
        const { items } = await client.list(Pod, { namespace });
        return items
          .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
          .map(({ spec }) => spec?.containers[0]?.image?.slice(-1));
      };
      await eventually(async () => expect(await images()).toEqual(['1', '1', '2']));
      await eventually(async () => {
        await runAll(client, namespace, 3);
        expect(await images()).toEqual(['1', '2', '2']);
      });
      await runAll(client, namespace, 3);
      await eventually(async () => {
        const { status } = (await client.get(StatefulSet, key)) ?? {};
        expect(status).toMatchObject({ currentReplicas: 1, updatedReplicas: 2, readyReplicas: 3 });
        expect(status?.currentRevision).not.toBe(status?.updateRevision);
      });
      const whole = { rollingUpdate: { partition: 0 } };
      await client.patch(StatefulSet, key, mergePatch({ spec: { updateStrategy: whole } }));
      await eventually(async () => {
        await runAll(client, namespace, 3);
        const { status } = (await client.get(StatefulSet, key)) ?? {};
        expect(status).toMatchObject({ updatedReplicas: 3, currentReplicas: 3 });
        expect(status?.currentRevision).toBe(status?.updateRevision);
      });
    });

    describe('with claims that it does not keep', () => {
      const claim = {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      };
      const makeWith = async (persistentVolumeClaimRetentionPolicy: object) => {
        const made = await make(2, {
          podManagementPolicy: 'Parallel',
          volumeClaimTemplates: [claim],
          persistentVolumeClaimRetentionPolicy,
        });
        const { client, namespace } = made;
        const owners = async () => {
          const { items } = await client.list(PersistentVolumeClaim, { namespace });
          return Object.fromEntries(
            items.map(({ metadata }) => [
              metadata.name,
              metadata.ownerReferences?.map(({ kind, name }) => `${kind}/${name}`) ?? [],
            ]),
          );
        };
        const until = (expected: object) =>
          eventually(async () => expect(await owners()).toEqual(expected), patiently);
        return { ...made, until };
      };

      test('they go with the set', async () => {
        const { client, namespace, key, made, until } = await makeWith({ whenDeleted: 'Delete' });
        await until({ 'data-db-0': ['StatefulSet/db'], 'data-db-1': ['StatefulSet/db'] });
        const seen = await client.get(PersistentVolumeClaim, { namespace, name: 'data-db-0' });
        expect(seen?.metadata.ownerReferences).toEqual([
          {
            apiVersion: 'apps/v1',
            kind: 'StatefulSet',
            name: 'db',
            uid: made.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ]);
        await client.patch(StatefulSet, key, mergePatch({ spec: { replicas: 1 } }));
        await untilPods(client, namespace, ['db-0']);
        await until({ 'data-db-0': ['StatefulSet/db'], 'data-db-1': ['StatefulSet/db'] });
        await client.delete(StatefulSet, key);
        await until({});
      });

      test('they go with pods that are scaled away', async () => {
        const { client, namespace, key, until } = await makeWith({ whenScaled: 'Delete' });
        await until({ 'data-db-0': [], 'data-db-1': [] });
        await client.patch(StatefulSet, key, mergePatch({ spec: { replicas: 1 } }));
        await untilPods(client, namespace, ['db-0']);
        await until({ 'data-db-0': [] });
        await client.patch(StatefulSet, key, mergePatch({ spec: { replicas: 2 } }));
        await untilPods(client, namespace, ['db-0', 'db-1']);
        await until({ 'data-db-0': [], 'data-db-1': [] });
      });
    });
  });
}

function untilPods(client: Client, namespace: string, names: readonly string[]) {
  return eventually(async () => {
    const { items } = await client.list(Pod, { namespace });
    expect(namesOf(items)).toEqual(names);
    return items;
  });
}

function runAll(client: Client, namespace: string, count: number) {
  return eventually(async () => {
    const { items } = await client.list(Pod, { namespace });
    for (const { metadata, status } of items) {
      if (status?.phase !== 'Pending') continue;
      // It may be gone by now: the next round sees.
      await runPod(client, { namespace, name: metadata.name }).catch(() => undefined);
    }
    expect(items).toHaveLength(count);
  });
}
