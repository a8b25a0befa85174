import { type Client, Deployment, mergePatch, Pod, PodDisruptionBudget } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { podTemplate, runPod } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

const labels = { app: 'web' };

/** What the status of a PodDisruptionBudget says. */
export function disruptionBudgets(subject: GetSubject): void {
  describe('PodDisruptionBudget', () => {
    const start = async (replicas: number, budget: object) => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const selector = { matchLabels: labels };
      const metadata = { namespace, name: 'web' };
      await client.create(Deployment, {
        metadata,
        spec: { replicas, selector, template: podTemplate(labels) },
      });
      await client.create(PodDisruptionBudget, { metadata, spec: { selector, ...budget } });
      const pods = await eventually(async () => {
        const { items } = await client.list(Pod, { namespace });
        expect(items).toHaveLength(replicas);
        return items.map((pod) => ({ namespace, name: pod.metadata.name }));
      });
      return { client, namespace, pods };
    };

    test('it counts pods that are ready against minAvailable', async () => {
      const { client, namespace, pods } = await start(3, { minAvailable: 1 });
      await untilStatus(client, namespace, {
        expectedPods: 3,
        desiredHealthy: 1,
        currentHealthy: 0,
        disruptionsAllowed: 0,
        observedGeneration: 1,
        conditions: [
          {
            type: 'DisruptionAllowed',
            status: 'False',
            reason: 'InsufficientPods',
            message: '',
            observedGeneration: 1,
          },
        ],
      });
      for (const pod of pods) await runPod(client, pod);
      await untilStatus(client, namespace, {
        currentHealthy: 3,
        disruptionsAllowed: 2,
        conditions: [{ status: 'True', reason: 'SufficientPods' }],
      });
    });

    test('maxUnavailable and percentages are of what the controller is asked for', async () => {
      const { client, namespace, pods } = await start(4, { maxUnavailable: '30%' });
      for (const pod of pods) await runPod(client, pod);
      await untilStatus(client, namespace, {
        expectedPods: 4,
        desiredHealthy: 2,
        currentHealthy: 4,
        disruptionsAllowed: 2,
      });
      const scaled = mergePatch({ spec: { replicas: 6 } });
      await client.patch(Deployment, { namespace, name: 'web' }, scaled);
      await untilStatus(client, namespace, {
        expectedPods: 6,
        desiredHealthy: 4,
        disruptionsAllowed: 0,
      });
    });
  });
}

function untilStatus(client: Client, namespace: string, status: object) {
  return eventually(async () => {
    const budget = await client.get(PodDisruptionBudget, { namespace, name: 'web' });
    expect(budget?.status).toMatchObject(status);
  });
}
