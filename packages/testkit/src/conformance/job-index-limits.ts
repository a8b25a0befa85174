import { type Client, mergePatch, Pod, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { briefly, makeJob, patiently, patientTest, untilActive } from './make-job.ts';
import { finishPod } from './play-kubelet.ts';
import type { GetSubject } from './subject.ts';

const failureCount = 'batch.kubernetes.io/job-index-failure-count';
const ignoredCount = 'batch.kubernetes.io/job-index-ignored-failure-count';
const disrupted = { type: 'DisruptionTarget', status: 'True' };

/** How often each index of a Job may fail, and how many of them. */
export function jobIndexLimits(subject: GetSubject): void {
  describe('Job with a limit of failures per index', () => {
    const make = (spec: object) =>
      makeJob(subject(), { completionMode: 'Indexed', completions: 3, parallelism: 3, ...spec });

    test(
      'it fails when every index has ended, and names those that failed',
      patientTest,
      async () => {
        const { client, namespace, status } = await make({ backoffLimitPerIndex: 0 });
        const [first, second, third] = await untilActive(client, namespace, 3);
        await fail(client, first);
        await fail(client, third);
        await eventually(async () => {
          expect(await status()).toMatchObject({ failed: 2, failedIndexes: '0,2', active: 1 });
        }, patiently);
        expect((await status())?.conditions).toBeUndefined();
        await finishPod(client, keyOfPod(second), 'Succeeded');
        await eventually(async () => {
          const seen = await status();
          expect(briefly(seen?.conditions)).toEqual([
            'FailureTarget True FailedIndexes: Job has failed indexes',
            'Failed True FailedIndexes: Job has failed indexes',
          ]);
          expect(seen).toMatchObject({ succeeded: 1, completedIndexes: '1', failedIndexes: '0,2' });
        }, patiently);
      },
    );

    test('it fails at once when too many indexes have', patientTest, async () => {
      const limits = { backoffLimitPerIndex: 0, maxFailedIndexes: 1 };
      const { client, namespace, status } = await make(limits);
      const [first, second] = await untilActive(client, namespace, 3);
      await fail(client, first);
      await fail(client, second);
      const why =
        'MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes';
      await eventually(async () => {
        const seen = await status();
        expect(briefly(seen?.conditions)).toEqual([
          `FailureTarget True ${why}`,
          `Failed True ${why}`,
        ]);
        expect(seen).toMatchObject({ failed: 3, failedIndexes: '0,1' });
      }, patiently);
    });

    test(
      'a pod that comes after another knows how often its index failed',
      patientTest,
      async () => {
        const { client, namespace, status } = await make({ backoffLimitPerIndex: 1 });
        const pods = await untilActive(client, namespace, 3);
        expect(pods.map((pod) => pod.metadata.annotations?.[failureCount])).toEqual([
          '0',
          '0',
          '0',
        ]);
        await eventually(async () => expect((await status())?.failedIndexes).toBe(''), patiently);
        await fail(client, pods[1]);
        const again = await untilReplaced(client, namespace, pods);
        expect(again.metadata.generateName).toBe('sum-1-');
        expect(again.metadata.annotations?.[failureCount]).toBe('1');
        await eventually(async () => {
          expect(await status()).toMatchObject({ failed: 1, failedIndexes: '', active: 3 });
        }, patiently);
        await fail(client, again);
        await eventually(async () => {
          expect(await status()).toMatchObject({ failed: 2, failedIndexes: '1', active: 2 });
        }, patiently);
      },
    );

    test(
      'a failed pod is kept, and not counted, until the next one is there',
      patientTest,
      async () => {
        const { client, namespace, status } = await make({ backoffLimitPerIndex: 1 });
        const pods = await untilActive(client, namespace, 3);
        await eventually(async () => expect((await status())?.active).toBe(3), patiently);
        await finishPod(client, keyOfPod(pods[0]), 'Failed');
        await eventually(async () => expect((await status())?.active).toBeUndefined(), patiently);
        const kept = await client.get(Pod, keyOfPod(pods[0]));
        expect(kept?.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
        expect((await status())?.failed).toBeUndefined();
        expect((await status())?.uncountedTerminatedPods).toEqual({});
      },
    );

    test('its failure policy may give up an index at once', patientTest, async () => {
      const rules = [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }];
      const policy = { backoffLimitPerIndex: 5, podFailurePolicy: { rules } };
      const { client, namespace, status } = await make(policy);
      const pods = await untilActive(client, namespace, 3);
      await fail(client, pods[2]);
      await eventually(async () => {
        expect(await status()).toMatchObject({ failed: 1, failedIndexes: '2', active: 2 });
      }, patiently);
    });

    test(
      'its failure policy may overlook a failure, which is remembered',
      patientTest,
      async () => {
        const rules = [{ action: 'Ignore', onPodConditions: [disrupted] }];
        const policy = { backoffLimitPerIndex: 0, podFailurePolicy: { rules } };
        const { client, namespace, status } = await make(policy);
        const pods = await untilActive(client, namespace, 3);
        await fail(client, pods[0], [disrupted]);
        const again = await untilReplaced(client, namespace, pods);
        expect(again.metadata.annotations).toMatchObject({
          [failureCount]: '0',
          [ignoredCount]: '1',
        });
        expect(await status()).toMatchObject({ failedIndexes: '' });
      },
    );
  });
}

function keyOfPod(pod: Stored<Pod> | undefined) {
  const { namespace, name = '' } = pod?.metadata ?? {};
  return { namespace, name };
}

/** Long ago: nobody waits before the next try. */
async function fail(
  client: Client,
  pod: Stored<Pod> | undefined,
  reasons: readonly { readonly type: string; readonly status: string }[] = [],
): Promise<void> {
  const state = { terminated: { exitCode: 1, finishedAt: '2020-01-01T00:00:00Z' } };
  const main = { name: 'main', ready: false, restartCount: 0, image: '', imageID: '', state };
  const conditions = [{ type: 'Ready', status: 'False', reason: 'PodFailed' }, ...reasons];
  const status = { phase: 'Failed', conditions, containerStatuses: [main] };
  await client.patch(Pod, keyOfPod(pod), mergePatch({ status }), { subresource: 'status' });
}

/** The one pod that waits and did not before. */
async function untilReplaced(
  client: Client,
  namespace: string,
  before: readonly Stored<Pod>[],
): Promise<Stored<Pod>> {
  return eventually(async () => {
    const now = await untilActive(client, namespace, before.length);
    const known = new Set(before.map(({ metadata }) => metadata.name));
    const [fresh] = now.filter(({ metadata }) => !known.has(metadata.name));
    if (!fresh) throw new Error('Expected a pod that was not there before');
    return fresh;
  }, patiently);
}
