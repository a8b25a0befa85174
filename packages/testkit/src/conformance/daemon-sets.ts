import { type Client, DaemonSet, mergePatch, Node, Pod } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { podTemplate, runPod } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const labels = { app: 'agent' };

/** What the DaemonSet controller does. */
export function daemonSets(subject: GetSubject): void {
  describe('DaemonSet', () => {
    /** On nodes of the test's own only. */
    const make = async (nodeNames: readonly string[], more: object = {}) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const pool = { pool: namespace };
      for (const name of nodeNames) {
        await client.create(Node, { metadata: { name: `${name}-${namespace}`, labels: pool } });
      }
      const template = podTemplate(labels);
      const spec = { ...template.spec, nodeSelector: pool };
      const made = await client.create(DaemonSet, {
        metadata: { namespace, name: 'agent' },
        spec: { selector: { matchLabels: labels }, template: { ...template, spec }, ...more },
      });
      const removeNodes = async () => {
        await client.deleteCollection(Node, { labelSelector: `pool=${namespace}` });
      };
      return { client, namespace, made, key: { namespace, name: 'agent' }, removeNodes };
    };

    test('every eligible node gets a pod that is meant for it', async () => {
      const { client, namespace, made, removeNodes } = await make(['one', 'two']);
      await client.create(Node, { metadata: { name: `other-${namespace}` } });
      const pods = await untilNodes(client, namespace, ['one', 'two']);
      expect(pods[0]).toMatchObject({
        metadata: {
          generateName: 'agent-',
          labels: {
            app: 'agent',
            'controller-revision-hash': expect.stringMatching(/^[a-z0-9]{8,10}$/),
            'pod-template-generation': '1',
          },
          ownerReferences: [{ kind: 'DaemonSet', uid: made.metadata.uid, controller: true }],
        },
      });
      const tolerated = pods[0]?.spec?.tolerations?.map(({ key, effect }) => `${key}:${effect}`);
      expect(tolerated).toEqual([
        'node.kubernetes.io/not-ready:NoExecute',
        'node.kubernetes.io/unreachable:NoExecute',
        'node.kubernetes.io/disk-pressure:NoSchedule',
        'node.kubernetes.io/memory-pressure:NoSchedule',
        'node.kubernetes.io/pid-pressure:NoSchedule',
        'node.kubernetes.io/unschedulable:NoSchedule',
      ]);
      await client.delete(Node, { name: `other-${namespace}` });
      await removeNodes();
    });

    test('its status counts nodes', async () => {
      const { client, namespace, key, removeNodes } = await make(['one', 'two']);
      const pods = await untilNodes(client, namespace, ['one', 'two']);
      const status = async () => (await client.get(DaemonSet, key))?.status;
      await eventually(async () =>
        expect(await status()).toEqual({
          currentNumberScheduled: 2,
          desiredNumberScheduled: 2,
          numberMisscheduled: 0,
          numberReady: 0,
          numberUnavailable: 2,
          observedGeneration: 1,
          updatedNumberScheduled: 2,
        }),
      );
      await runPod(client, { namespace, name: pods[0]?.metadata.name ?? '' });
      await eventually(async () =>
        expect(await status()).toMatchObject({
          numberReady: 1,
          numberAvailable: 1,
          numberUnavailable: 1,
        }),
      );
      await removeNodes();
    });

    test('a new node gets a pod; one that nobody tolerates loses it', async () => {
      const { client, namespace, removeNodes } = await make(['one']);
      const [pod] = await untilNodes(client, namespace, ['one']);
      const key = { namespace, name: pod?.metadata.name ?? '' };
      await client.bind(key, `one-${namespace}`);
      const metadata = { name: `two-${namespace}`, labels: { pool: namespace } };
      await client.create(Node, { metadata });
      await untilNodes(client, namespace, ['one', 'two']);
      const taints = [{ key: 'example.org/no', effect: 'NoExecute' }];
      const tainted = mergePatch({ spec: { taints } });
      await client.patch(Node, { name: `one-${namespace}` }, tainted);
      await eventually(async () => {
        expect((await client.get(Pod, key))?.metadata.deletionTimestamp).toBeDefined();
      });
      await removeNodes();
    });

    test('an update replaces pods as far as maxUnavailable allows', async () => {
      const { client, namespace, key, removeNodes } = await make(['one', 'two']);
      const pods = await untilNodes(client, namespace, ['one', 'two']);
      for (const { metadata } of pods) await runPod(client, { namespace, name: metadata.name });
      await eventually(async () => {
        expect((await client.get(DaemonSet, key))?.status?.numberAvailable).toBe(2);
      });
      const { containers } = podTemplate(labels, 'example.org/app:2').spec;
      await client.patch(
        DaemonSet,
        key,
        mergePatch({ spec: { template: { spec: { containers } } } }),
      );
      const images = async () => {
        const { items } = await client.list(Pod, { namespace });
        return items.map(({ spec }) => spec?.containers[0]?.image?.slice(-1)).toSorted();
      };
      await eventually(async () => expect(await images()).toEqual(['1', '2']));
      await eventually(async () => {
        const { items } = await client.list(Pod, { namespace });
        const fresh = items.filter(({ status }) => status?.phase === 'Pending');
        for (const { metadata } of fresh) await runPod(client, { namespace, name: metadata.name });
        expect(await images()).toEqual(['2', '2']);
      });
      await removeNodes();
    });

    test('an update with maxSurge removes a pod when its successor is available', async () => {
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate };
      const { client, namespace, key, removeNodes } = await make(['one', 'two'], {
        updateStrategy,
      });
      const pods = await untilNodes(client, namespace, ['one', 'two']);
      for (const { metadata } of pods) await runPod(client, { namespace, name: metadata.name });
      await eventually(async () => {
        expect((await client.get(DaemonSet, key))?.status?.numberAvailable).toBe(2);
      });
      const { containers } = podTemplate(labels, 'example.org/app:2').spec;
      const change = mergePatch({ spec: { template: { spec: { containers } } } });
      await client.patch(DaemonSet, key, change);
      const until = (expected: readonly string[]) =>
        eventually(async () => {
          const { items } = await client.list(Pod, { namespace });
          const images = items.map(({ spec }) => spec?.containers[0]?.image?.slice(-1));
          expect(images.toSorted()).toEqual(expected);
          return items.filter(({ status }) => status?.phase === 'Pending');
        });
      const [first] = await until(['1', '1', '2']);
      await runPod(client, { namespace, name: first?.metadata.name ?? '' });
      const [second] = await until(['1', '2', '2']);
      await runPod(client, { namespace, name: second?.metadata.name ?? '' });
      await until(['2', '2']);
      await removeNodes();
    });
  });
}

/** The names of the nodes that the pods are meant for, without what makes them unique. */
function untilNodes(client: Client, namespace: string, nodes: readonly string[]) {
  return eventually(async () => {
    const { items } = await client.list(Pod, { namespace });
    const meant = items.map(
      ({ spec }) =>
        spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution
          ?.nodeSelectorTerms[0]?.matchFields?.[0]?.values?.[0],
    );
    expect(meant.toSorted()).toEqual(nodes.map((node) => `${node}-${namespace}`));
    return items;
  });
}
