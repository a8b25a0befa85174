import { type Client, Job, mergePatch, Pod, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { briefly, makeJob, patiently, patientTest, untilActive } from './make-job.ts';
import { finishPod, podTemplate, runPod } from './play-kubelet.ts';
import type { GetSubject } from './subject.ts';

const indexKey = 'batch.kubernetes.io/job-completion-index';

/** Which pods a Job makes, and which of their ends count. */
export function jobPolicies(subject: GetSubject): void {
  describe('Job with indexes or policies', () => {
    const make = (spec: object) => makeJob(subject(), spec);
    const indexed = (completions: number) => ({
      completionMode: 'Indexed',
      completions,
      parallelism: completions,
    });

    test('with indexes, it makes a pod for each that knows its own', patientTest, async () => {
      const { client, namespace } = await make(indexed(2));
      const pods = await untilActive(client, namespace, 2);
      expect(pods.map(({ metadata }) => metadata.generateName)).toEqual(['sum-0-', 'sum-1-']);
      expect(pods[1]).toMatchObject({
        metadata: { annotations: { [indexKey]: '1' }, labels: { [indexKey]: '1' } },
        spec: {
          hostname: 'sum-1',
          containers: [
            {
              env: [
                {
                  name: 'JOB_COMPLETION_INDEX',
                  valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexKey}']` } },
                },
              ],
            },
          ],
        },
      });
    });

    test('with indexes, it is complete when all of them are', patientTest, async () => {
      const { client, namespace, status } = await make({ ...indexed(5), parallelism: 4 });
      const pods = await untilActive(client, namespace, 4);
      for (const index of [0, 1, 3]) await finish(client, pods[index], 'Succeeded');
      await eventually(async () => {
        expect(await status()).toMatchObject({
          succeeded: 3,
          completedIndexes: '0,1,3',
          active: 2,
        });
      }, patiently);
      const rest = await untilActive(client, namespace, 2);
      expect(rest.map(indexOf)).toEqual(['2', '4']);
      for (const pod of rest) await finish(client, pod, 'Succeeded');
      await eventually(async () => {
        const seen = await status();
        expect(seen).toMatchObject({ succeeded: 5, completedIndexes: '0-4' });
        expect(seen?.uncountedTerminatedPods).toEqual({});
        expect(briefly(seen?.conditions).at(-1)).toBe(
          'Complete True CompletionsReached: Reached expected number of succeeded pods',
        );
      }, patiently);
    });

    test('its success policy may be content with less', patientTest, async () => {
      const rules = [{ succeededIndexes: '2' }, { succeededIndexes: '0-1', succeededCount: 1 }];
      const { client, namespace, status } = await make({ ...indexed(3), successPolicy: { rules } });
      const pods = await untilActive(client, namespace, 3);
      await finish(client, pods[1], 'Succeeded');
      await eventually(async () => {
        const seen = await status();
        expect(briefly(seen?.conditions)).toEqual([
          'SuccessCriteriaMet True SuccessPolicy: Matched rules at index 1',
          'Complete True SuccessPolicy: Matched rules at index 1',
        ]);
        expect(seen).toMatchObject({ succeeded: 1, completedIndexes: '1' });
        expect(seen?.failed).toBeUndefined();
      }, patiently);
    });

    test('its failure policy may end it at once', patientTest, async () => {
      const rules = [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'FailJob', onExitCodes: { operator: 'In', values: [1, 2] } },
      ];
      const { client, namespace, status } = await make({ podFailurePolicy: { rules } });
      const [pod] = await untilActive(client, namespace, 1);
      await finish(client, pod, 'Failed');
      const path = `${namespace}/${pod?.metadata.name}`;
      const text = `Container main for pod ${path} failed with exit code 1 matching FailJob rule at index 1`;
      await eventually(async () => {
        const seen = await status();
        expect(briefly(seen?.conditions)).toEqual([
          `FailureTarget True PodFailurePolicy: ${text}`,
          `Failed True PodFailurePolicy: ${text}`,
        ]);
        expect(seen).toMatchObject({ failed: 1 });
      }, patiently);
    });

    test('its failure policy may overlook a failure', patientTest, async () => {
      const rules = [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ];
      const spec = { backoffLimit: 0, podFailurePolicy: { rules } };
      const { client, namespace, status } = await make(spec);
      const [pod] = await untilActive(client, namespace, 1);
      const disrupted = [{ type: 'DisruptionTarget', status: 'True' }];
      await finish(client, pod, 'Failed', disrupted);
      await eventually(async () => {
        const { items } = await client.list(Pod, { namespace });
        expect(items.map(({ metadata }) => metadata.finalizers)).toEqual([undefined]);
      }, patiently);
      const seen = await status();
      expect(seen?.failed).toBeUndefined();
      expect(seen?.conditions).toBeUndefined();
    });

    test('pods that go because it rests have not failed', patientTest, async () => {
      const { client, namespace, key, status } = await make({ parallelism: 2, completions: 2 });
      const pods = await untilActive(client, namespace, 2);
      for (const { metadata } of pods) await runPod(client, { namespace, name: metadata.name });
      await client.patch(Job, key, mergePatch({ spec: { suspend: true } }));
      await eventually(async () => {
        expect((await client.list(Pod, { namespace })).items).toEqual([]);
        const seen = await status();
        expect(briefly(seen?.conditions)).toEqual(['Suspended True JobSuspended: Job suspended']);
        expect(seen).toMatchObject({ ready: 0, terminating: 0 });
        expect(seen?.failed).toBeUndefined();
      }, patiently);
      await client.patch(Job, key, mergePatch({ spec: { suspend: false } }));
      await untilActive(client, namespace, 2);
    });

    test('a pod that is deleted has failed', patientTest, async () => {
      const { client, namespace, status } = await make({});
      const [pod] = await untilActive(client, namespace, 1);
      await client.delete(Pod, { namespace, name: pod?.metadata.name ?? '' });
      await eventually(async () => {
        expect(await status()).toMatchObject({ failed: 1, uncountedTerminatedPods: {} });
        expect((await client.list(Pod, { namespace })).items).toEqual([]);
      }, patiently);
    });

    test('containers that start again and again are failures, too', patientTest, async () => {
      const template = podTemplate({ app: 'sum' });
      const { client, namespace, status } = await make({
        backoffLimit: 2,
        template: { ...template, spec: { ...template.spec, restartPolicy: 'OnFailure' } },
      });
      const [pod] = await untilActive(client, namespace, 1);
      const key = { namespace, name: pod?.metadata.name ?? '' };
      const state = { waiting: { reason: 'CrashLoopBackOff' } };
      const main = { name: 'main', ready: false, restartCount: 2, image: '', imageID: '', state };
      const change = mergePatch({ status: { phase: 'Running', containerStatuses: [main] } });
      await client.patch(Pod, key, change, { subresource: 'status' });
      await eventually(async () => {
        expect(briefly((await status())?.conditions)[0]).toBe(
          'FailureTarget True BackoffLimitExceeded: Job has reached the specified backoff limit',
        );
      }, patiently);
    });
  });
}

function finish(
  client: Client,
  pod: Stored<Pod> | undefined,
  ...how: [phase: 'Succeeded' | 'Failed', reasons?: { type: string; status: string }[]]
): Promise<void> {
  const { namespace, name } = pod?.metadata ?? { name: '' };
  return finishPod(client, { namespace, name }, ...how);
}

function indexOf({ metadata }: Pod): string | undefined {
  return metadata?.annotations?.[indexKey];
}
