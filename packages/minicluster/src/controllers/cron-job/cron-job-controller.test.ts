import { type Client, CronJob, Event, formatTime, Job, mergePatch } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBareServer } from '../../node/testing/start-bare-server.ts';
import { ControllerContext } from '../controller-context.ts';
import { startCronJobController } from './cron-job-controller.ts';

describe('startCronJobController()', () => {
  let clock: VirtualClock;
  let client: Client;
  let context: ControllerContext;
  const key = { namespace: 'default', name: 'tick' };

  beforeEach(async () => {
    clock = new VirtualClock({ startMs: Date.UTC(2030, 0, 1, 0, 0, 30) });
    const random = seededRandom(1);
    client = await startBareServer(clock, random);
    context = new ControllerContext(client, { clock, random });
    startCronJobController(context);
    await context.start();
  });
  afterEach(async () => {
    await context[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
    expect(clock.pendingTimers).toBe(0);
  });

  const make = async (spec: object = {}) => {
    const containers = [{ name: 'main', image: 'example.org/app' }];
    const template = { spec: { containers, restartPolicy: 'Never' } };
    const jobTemplate = { spec: { template } };
    await client.create(CronJob, {
      metadata: key,
      spec: { schedule: '*/10 * * * *', jobTemplate, ...spec },
    });
  };
  const pass = (minutes: number) => clock.advance(minutes * 60_000);
  const jobs = async () => {
    const { items } = await client.list(Job, { namespace: 'default' });
    return items.map(
      ({ metadata }) => metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp'],
    );
  };
  const active = async () => (await client.get(CronJob, key))?.status?.active?.length ?? 0;
  const reasons = async () => {
    const { items } = await client.list(Event, { namespace: 'default' });
    return new Set(items.map(({ reason }) => reason));
  };
  const complete = async () => {
    const { items } = await client.list(Job, { namespace: 'default' });
    const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' }));
    const now = formatTime(clock.now());
    for (const { metadata } of items.filter(({ status }) => !status?.completionTime)) {
      const status = { startTime: now, completionTime: now, conditions };
      const job = { namespace: 'default', name: metadata.name };
      await client.patch(Job, job, mergePatch({ status }), { subresource: 'status' });
    }
    await clock.settle();
  };

  test('starts a job for every time of the schedule', async () => {
    await make({ timeZone: 'Asia/Kolkata' });
    await pass(9);
    expect(await jobs()).toEqual([]);
    await pass(11);
    expect(await jobs()).toEqual(['2030-01-01T05:40:00+05:30', '2030-01-01T05:50:00+05:30']);
    expect(await active()).toBe(2);
  });

  test('starts none while the last one runs, if that is forbidden', async () => {
    await make({ concurrencyPolicy: 'Forbid' });
    await pass(25);
    expect(await jobs()).toEqual(['2030-01-01T00:10:00Z']);
    expect(await reasons()).toContain('JobAlreadyActive');
  });

  test('replaces the last one, if it is told to', async () => {
    await make({ concurrencyPolicy: 'Replace' });
    await pass(25);
    expect(await jobs()).toEqual(['2030-01-01T00:20:00Z']);
    expect(await active()).toBe(1);
  });

  test('starts nothing while it is suspended', async () => {
    await make({ suspend: true });
    await pass(60);
    expect(await jobs()).toEqual([]);
  });

  test('keeps the last jobs that have ended', async () => {
    await make({ successfulJobsHistoryLimit: 2 });
    for (let round = 0; round < 4; round += 1) {
      await pass(10);
      await complete();
    }
    expect(await jobs()).toEqual(['2030-01-01T00:30:00Z', '2030-01-01T00:40:00Z']);
    expect(await active()).toBe(0);
  });
});
