import { Job, mergePatch, Pod } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { briefly, makeJob, patiently, patientTest, untilActive } from './make-job.ts';
import { finishPod, runPod } from './play-kubelet.ts';
import type { GetSubject } from './subject.ts';

/** What the Job controller does. */
export function jobs(subject: GetSubject): void {
  describe('Job', () => {
    const make = (spec: object = {}) => makeJob(subject(), spec);

    test('it runs its pod to the end, and is complete', patientTest, async () => {
      const { client, namespace, key, made } = await make();
      const [pod] = await untilActive(client, namespace, 1);
      expect(pod?.metadata).toMatchObject({
        name: expect.stringMatching(/^sum-[a-z0-9]{5}$/),
        finalizers: ['batch.kubernetes.io/job-tracking'],
        ownerReferences: [{ kind: 'Job', uid: made.metadata.uid, controller: true }],
      });
      await runPod(client, { namespace, name: pod?.metadata.name ?? '' });
      await eventually(async () => {
        expect((await client.get(Job, key))?.status).toMatchObject({ active: 1, ready: 1 });
      }, patiently);
      await finishPod(client, { namespace, name: pod?.metadata.name ?? '' }, 'Succeeded');
      await eventually(async () => {
        const { status } = (await client.get(Job, key)) ?? {};
        expect(status).toMatchObject({ succeeded: 1, startTime: expect.any(String) });
        expect(status?.completionTime).toBeDefined();
        expect(status?.active).toBeUndefined();
        expect(briefly(status?.conditions)).toEqual([
          'SuccessCriteriaMet True CompletionsReached: Reached expected number of succeeded pods',
          'Complete True CompletionsReached: Reached expected number of succeeded pods',
        ]);
      }, patiently);
      const { items } = await client.list(Pod, { namespace });
      expect(items.map(({ metadata }) => metadata.finalizers)).toEqual([undefined]);
    });

    test(
      'it runs as many pods at a time as it may, until enough succeeded',
      patientTest,
      async () => {
        const { client, namespace, key } = await make({ completions: 3, parallelism: 2 });
        const pods = await untilActive(client, namespace, 2);
        for (const { metadata } of pods) {
          await finishPod(client, { namespace, name: metadata.name }, 'Succeeded');
        }
        const [last] = await untilActive(client, namespace, 1);
        await finishPod(client, { namespace, name: last?.metadata.name ?? '' }, 'Succeeded');
        await eventually(async () => {
          const { status } = (await client.get(Job, key)) ?? {};
          expect(status).toMatchObject({ succeeded: 3 });
          expect(status?.conditions?.at(-1)).toMatchObject({ type: 'Complete', status: 'True' });
        }, patiently);
      },
    );

    test('its pods go after it, though nobody counts them any more', patientTest, async () => {
      const { client, namespace, key } = await make();
      await untilActive(client, namespace, 1);
      await client.delete(Job, key, { propagationPolicy: 'Background' });
      await eventually(async () => {
        expect((await client.list(Pod, { namespace })).items).toEqual([]);
      }, patiently);
    });

    test('it has failed when its pods failed too often', patientTest, async () => {
      const { client, namespace, key } = await make({ backoffLimit: 0 });
      const [pod] = await untilActive(client, namespace, 1);
      await finishPod(client, { namespace, name: pod?.metadata.name ?? '' }, 'Failed');
      await eventually(async () => {
        const { status } = (await client.get(Job, key)) ?? {};
        expect(status).toMatchObject({ failed: 1 });
        expect(briefly(status?.conditions)).toEqual([
          'FailureTarget True BackoffLimitExceeded: Job has reached the specified backoff limit',
          'Failed True BackoffLimitExceeded: Job has reached the specified backoff limit',
        ]);
      }, patiently);
    });

    test('it has failed when it took too long, and its pods go', patientTest, async () => {
      const { client, namespace, key } = await make({ activeDeadlineSeconds: 1 });
      await eventually(async () => {
        const { status } = (await client.get(Job, key)) ?? {};
        expect(briefly(status?.conditions)).toContain(
          'Failed True DeadlineExceeded: Job was active longer than specified deadline',
        );
        expect((await client.list(Pod, { namespace })).items).toEqual([]);
      }, patiently);
    });

    test('suspended, it runs nothing', patientTest, async () => {
      const { client, namespace, key } = await make({ suspend: true });
      await eventually(async () => {
        const { status } = (await client.get(Job, key)) ?? {};
        expect(briefly(status?.conditions)).toEqual(['Suspended True JobSuspended: Job suspended']);
      }, patiently);
      expect((await client.list(Pod, { namespace })).items).toEqual([]);
      await client.patch(Job, key, mergePatch({ spec: { suspend: false } }));
      await untilActive(client, namespace, 1);
    });

    test('finished, it goes when its time is over', patientTest, async () => {
      const { client, namespace, key } = await make({ ttlSecondsAfterFinished: 1 });
      const [pod] = await untilActive(client, namespace, 1);
      await finishPod(client, { namespace, name: pod?.metadata.name ?? '' }, 'Succeeded');
      await eventually(async () => {
        expect(await client.get(Job, key)).toBeUndefined();
        expect((await client.list(Pod, { namespace })).items).toEqual([]);
      }, patiently);
    });
  });
}
