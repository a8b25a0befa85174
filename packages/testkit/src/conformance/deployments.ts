import { type Client, Deployment, mergePatch, Pod, ReplicaSet } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { podTemplate, runPod } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const revision = 'deployment.kubernetes.io/revision';
const labels = { app: 'web' };

/** What the Deployment controller does. */
export function deployments(subject: GetSubject): void {
  describe('Deployment', () => {
    const make = async (replicas: number, spec: object = {}) => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'web' };
      const selector = { matchLabels: labels };
      const annotations = { 'example.org/team': 'blue' };
      const made = await client.create(Deployment, {
        metadata: { ...key, annotations },
        spec: { replicas, selector, template: podTemplate(labels), ...spec },
      });
      return { client, key, made, namespace: key.namespace };
    };

    test('it makes a ReplicaSet named after the hash of the template', async () => {
      const { client, namespace, made } = await make(2);
      const [replicaSet] = await untilReplicaSets(client, namespace, 1);
      const hash = replicaSet?.metadata.labels?.['pod-template-hash'] ?? '';
      expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{8,10}$/);
      expect(replicaSet?.metadata).toMatchObject({
        name: `web-${hash}`,
        labels: { app: 'web', 'pod-template-hash': hash },
        annotations: {
          [revision]: '1',
          'deployment.kubernetes.io/desired-replicas': '2',
          'deployment.kubernetes.io/max-replicas': '3',
          'example.org/team': 'blue',
        },
        ownerReferences: [{ kind: 'Deployment', uid: made.metadata.uid, controller: true }],
      });
      expect(replicaSet?.spec).toMatchObject({
        replicas: 2,
        selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } },
        template: { metadata: { labels: { app: 'web', 'pod-template-hash': hash } } },
      });
    });

    test('its status tells progress, then availability', async () => {
      const { client, namespace, key } = await make(2);
      const [replicaSet] = await untilReplicaSets(client, namespace, 1);
      const name = replicaSet?.metadata.name;
      await eventually(async () => {
        const seen = await client.get(Deployment, key);
        expect(seen?.metadata.annotations?.[revision]).toBe('1');
        expect(seen?.status).toMatchObject({
          observedGeneration: 1,
          replicas: 2,
          updatedReplicas: 2,
          unavailableReplicas: 2,
          terminatingReplicas: 0,
        });
        expect(briefly(seen?.status?.conditions)).toEqual([
          'Available False MinimumReplicasUnavailable: Deployment does not have minimum availability.',
          `Progressing True ReplicaSetUpdated: ReplicaSet "${name}" is progressing.`,
        ]);
      });
      await runAll(client, namespace);
      await eventually(async () => {
        const { status } = (await client.get(Deployment, key)) ?? {};
        expect(status).toMatchObject({ readyReplicas: 2, availableReplicas: 2 });
        expect(status?.unavailableReplicas).toBeUndefined();
        expect(briefly(status?.conditions)).toEqual([
          'Available True MinimumReplicasAvailable: Deployment has minimum availability.',
          `Progressing True NewReplicaSetAvailable: ReplicaSet "${name}" has successfully progressed.`,
        ]);
      });
    });

    test('a rolling update keeps within maxSurge and maxUnavailable', async () => {
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
      const { client, namespace, key } = await make(4, { strategy: { rollingUpdate } });
      const [first] = await untilReplicaSets(client, namespace, 1);
      await untilComplete(client, key);
      await setImage(client, key, 'example.org/app:2');
      const sizes = async () => {
        const all = (await client.list(ReplicaSet, { namespace })).items;
        const isFirst = (one: ReplicaSet) => one.metadata?.name === first?.metadata.name;
        const size = (one: ReplicaSet | undefined) => one?.spec?.replicas;
        return [size(all.find(isFirst)), size(all.find((one) => !isFirst(one)))];
      };
      await eventually(async () => expect(await sizes()).toEqual([3, 2]));
      await untilComplete(client, key);
      expect(await sizes()).toEqual([0, 4]);
      expect((await client.get(Deployment, key))?.metadata.annotations?.[revision]).toBe('2');
    });

    test('going back to an old template takes the old ReplicaSet with a new revision', async () => {
      const { client, namespace, key } = await make(1);
      const [first] = await untilReplicaSets(client, namespace, 1);
      await untilComplete(client, key);
      await setImage(client, key, 'example.org/app:2');
      await untilComplete(client, key);
      await setImage(client, key, 'example.org/app:1');
      await untilComplete(client, key);
      const all = await untilReplicaSets(client, namespace, 2);
      const back = all.find(({ metadata }) => metadata.uid === first?.metadata.uid);
      expect(back?.spec?.replicas).toBe(1);
      expect(back?.metadata.annotations).toMatchObject({
        [revision]: '3',
        'deployment.kubernetes.io/revision-history': '1',
      });
    });

    test('old ReplicaSets beyond revisionHistoryLimit are removed', async () => {
      const { client, namespace, key } = await make(1, { revisionHistoryLimit: 1 });
      await untilComplete(client, key);
      for (const tag of ['2', '3']) {
        await setImage(client, key, `example.org/app:${tag}`);
        await untilComplete(client, key);
      }
      const left = await untilReplicaSets(client, namespace, 2);
      expect(left.map(({ metadata }) => metadata.annotations?.[revision]).toSorted()).toEqual([
        '2',
        '3',
      ]);
    });

    test('Recreate removes all old pods before it makes new ones', async () => {
      const { client, namespace, key } = await make(2, { strategy: { type: 'Recreate' } });
      await untilComplete(client, key);
      const { items } = await client.list(Pod, { namespace });
      const finalizers = ['example.org/hold'];
      const held = { namespace, name: items[0]?.metadata.name ?? '' };
      await client.patch(Pod, held, mergePatch({ metadata: { finalizers } }));
      await setImage(client, key, 'example.org/app:2');
      await eventually(async () => {
        expect((await client.list(Pod, { namespace })).items).toHaveLength(1);
        expect((await client.get(Deployment, key))?.status?.replicas).toBeUndefined();
      });
      expect((await client.list(ReplicaSet, { namespace })).items).toHaveLength(1);
      await client.patch(Pod, held, mergePatch({ metadata: { finalizers: null } }));
      await untilReplicaSets(client, namespace, 2);
      await untilComplete(client, key);
    });

    test('scaled while paused, it resizes the ReplicaSet and starts no rollout', async () => {
      const { client, namespace, key } = await make(1);
      await untilComplete(client, key);
      await client.patch(Deployment, key, mergePatch({ spec: { paused: true } }));
      await eventually(async () => {
        const { status } = (await client.get(Deployment, key)) ?? {};
        expect(briefly(status?.conditions)).toContain(
          'Progressing Unknown DeploymentPaused: Deployment is paused',
        );
      });
      await setImage(client, key, 'example.org/app:2');
      await client.patch(Deployment, key, mergePatch({ spec: { replicas: 3 } }));
      await eventually(async () => {
        const [only] = await untilReplicaSets(client, namespace, 1);
        expect(only?.spec?.replicas).toBe(3);
      });
      await client.patch(Deployment, key, mergePatch({ spec: { paused: false } }));
      await untilReplicaSets(client, namespace, 2);
      await untilComplete(client, key);
    });

    test('a rollout that does not get on is reported after its deadline', async () => {
      const { client, key } = await make(1, { progressDeadlineSeconds: 1 });
      await eventually(
        async () => {
          const { status } = (await client.get(Deployment, key)) ?? {};
          expect(briefly(status?.conditions)).toContainEqual(
            expect.stringMatching(
              /^Progressing False ProgressDeadlineExceeded: ReplicaSet "web-.*" has timed out progressing\.$/,
            ),
          );
        },
        { timeoutMs: 30_000 },
      );
    });
  });
}

function untilReplicaSets(client: Client, namespace: string, count: number) {
  return eventually(async () => {
    const { items } = await client.list(ReplicaSet, { namespace });
    expect(items).toHaveLength(count);
    return items;
  });
}

function setImage(client: Client, key: { namespace: string; name: string }, image: string) {
  const { spec } = podTemplate(labels, image);
  const { containers } = spec;
  return client.patch(
    Deployment,
    key,
    mergePatch({ spec: { template: { spec: { containers } } } }),
  );
}

async function runAll(client: Client, namespace: string): Promise<void> {
  const { items } = await client.list(Pod, { namespace });
  for (const { metadata, status } of items) {
    const isWaiting = status?.phase === 'Pending' && !metadata.deletionTimestamp;
    // It may be gone by now: the next round sees.
    if (isWaiting) await runPod(client, { namespace, name: metadata.name }).catch(() => undefined);
  }
}

/** Lets every pod run as soon as it is there, until the rollout is over. */
async function untilComplete(
  client: Client,
  key: { namespace: string; name: string },
): Promise<void> {
  await eventually(
    async () => {
      await runAll(client, key.namespace);
      const { spec, status, metadata } = (await client.get(Deployment, key)) ?? {};
      expect(status).toMatchObject({
        observedGeneration: metadata?.generation,
        replicas: spec?.replicas,
        updatedReplicas: spec?.replicas,
        availableReplicas: spec?.replicas,
        terminatingReplicas: 0,
      });
    },
    { timeoutMs: 30_000 },
  );
}

function briefly(
  conditions:
    | readonly { type: string; status: string; reason?: string; message?: string }[]
    | undefined,
): readonly string[] {
  return (conditions ?? [])
    .map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`)
    .toSorted();
}
