import { type Client, CronJob, Job, mergePatch, type ObjectKey, Pod } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { storiesAbout } from './events-about.ts';
import { patiently, patientTest } from './make-job.ts';
import { finishPod, podTemplate } from './play-kubelet.ts';
import { freshNamespace, type GetSubject } from './subject.ts';

/**
 * What the CronJob controller does. A schedule in seconds spares the tests the wait. Jobs are still named by the minute: they
 * come one at a time, or there would be two where the next minute begins.
 */
export function cronJobs(subject: GetSubject): void {
  describe('CronJob', () => {
    const make = async (spec: object = {}) => {
      const { client } = subject();
      const key = { namespace: await freshNamespace(subject()), name: 'tick' };
      const { spec: podSpec } = podTemplate({});
      const template = { spec: { ...podSpec, restartPolicy: 'Never' } };
      const jobTemplate = {
        metadata: { labels: { a: 'b' }, annotations: { c: 'd' } },
        spec: { template },
      };
      const made = await client.create(CronJob, {
        metadata: key,
        spec: { schedule: '@every 1s', concurrencyPolicy: 'Forbid', jobTemplate, ...spec },
      });
      return { client, key, made, namespace: key.namespace };
    };

    test('it starts a job when it is time, and says so', patientTest, async () => {
      const { client, key, made } = await make();
      const job = await untilJob(client, key);
      const scheduled =
        job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'];
      expect(job.metadata).toMatchObject({
        name: `tick-${Math.floor(Date.parse(scheduled ?? '') / 60_000)}`,
        labels: { a: 'b' },
        annotations: { c: 'd' },
        ownerReferences: [
          {
            apiVersion: 'batch/v1',
            kind: 'CronJob',
            name: 'tick',
            uid: made.metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      });
      const { status } = (await client.get(CronJob, key)) ?? {};
      const { uid } = job.metadata;
      const reference = { apiVersion: 'batch/v1', kind: 'Job', name: job.metadata.name, uid };
      expect(status?.active).toMatchObject([reference]);
      expect(status?.lastScheduleTime).toBeDefined();
      await eventually(async () => {
        expect(await storiesAbout(client, key.namespace, 'tick')).toContain(
          `cronjob-controller Normal SuccessfulCreate: Created job ${job.metadata.name}`,
        );
      });
    });

    test('it notices that its job is done', patientTest, async () => {
      const { client, key, namespace } = await make();
      const job = await untilJob(client, key);
      await client.patch(CronJob, key, mergePatch({ spec: { suspend: true } }));
      const pod = await eventually(async () => {
        const [first] = (await client.list(Pod, { namespace })).items;
        expect(first).toBeDefined();
        return { namespace, name: first?.metadata.name ?? '' };
      }, patiently);
      await finishPod(client, pod, 'Succeeded');
      await eventually(async () => {
        const { status } = (await client.get(CronJob, key)) ?? {};
        const done = await client.get(Job, { namespace, name: job.metadata.name });
        expect(status?.active).toBeUndefined();
        expect(status?.lastSuccessfulTime).toBe(done?.status?.completionTime);
        expect(await storiesAbout(client, namespace, 'tick')).toContain(
          `cronjob-controller Normal SawCompletedJob: Saw completed job: ${job.metadata.name}, condition: Complete`,
        );
      }, patiently);
    });

    test('it removes jobs that have ended, beyond its limit', patientTest, async () => {
      const { client, key, namespace } = await make({ failedJobsHistoryLimit: 0 });
      const job = await untilJob(client, key);
      await client.patch(CronJob, key, mergePatch({ spec: { suspend: true } }));
      const change = mergePatch({ spec: { activeDeadlineSeconds: 1 } });
      await client.patch(Job, { namespace, name: job.metadata.name }, change);
      await eventually(async () => {
        expect((await client.list(Job, { namespace })).items).toEqual([]);
        expect(await storiesAbout(client, namespace, 'tick')).toContain(
          `cronjob-controller Normal SuccessfulDelete: Deleted job ${job.metadata.name}`,
        );
      }, patiently);
    });
  });
}

/** The first job, once the status tells of it. */
function untilJob(client: Client, key: ObjectKey) {
  return eventually(async () => {
    const { status } = (await client.get(CronJob, key)) ?? {};
    const [reference] = status?.active ?? [];
    const { namespace } = key;
    const job = await client.get(Job, { namespace, name: reference?.name ?? 'none' });
    if (!job) throw new Error('There is no job yet');
    return job;
  }, patiently);
}
