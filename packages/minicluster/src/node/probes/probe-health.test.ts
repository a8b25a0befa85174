import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProgramContext } from '../containers/image-registry.ts';
import { startTestNode } from '../testing/start-test-node.ts';

/** A program that runs until it is stopped and answers commands as the test says. */
function patient(exec: (context: ProgramContext) => Promise<number>) {
  const run = ({ signal }: ProgramContext) =>
    new Promise<number>((resolve) => {
      signal.addEventListener('abort', () => resolve(0), { once: true });
    });
  return { run, exec };
}

describe('probes', () => {
  const answers = { live: 0, ready: 0, started: 0 };
  const asked: string[] = [];
  let world: Awaited<ReturnType<typeof startTestNode>>;
  const probe = (word: keyof typeof answers) => ({ exec: { command: [word] } });

  beforeEach(async () => {
    Object.assign(answers, { live: 0, ready: 0, started: 0 });
    asked.length = 0;
    const clock = new VirtualClock();
    const image = patient(async ({ args: [word = ''], stdout }) => {
      asked.push(`${clock.monotonicMs() / 1000} ${word}`);
      stdout.write(`${word} is ${answers[word as keyof typeof answers]}`);
      return answers[word as keyof typeof answers];
    });
    const images = new Map([['example.org/app', image]]);
    world = await startTestNode({ clock, random: seededRandom(1), images });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  test('of readiness decide whether a container is sent work, by their thresholds', async () => {
    answers.ready = 1;
    const readinessProbe = { ...probe('ready'), successThreshold: 2, failureThreshold: 2 };
    await world.run('web', { readinessProbe });
    expect(await world.main('web')).toMatchObject({ ready: false, started: true });
    answers.ready = 0;
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ ready: false });
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ ready: true });
    answers.ready = 1;
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ ready: true });
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ ready: false, restartCount: 0 });
    expect(await world.events('Unhealthy')).toEqual([
      'Warning Unhealthy x3: Readiness probe failed: ready is 1',
    ]);
  });

  test('wait for their initial delay, then ask every period', async () => {
    const readinessProbe = { ...probe('ready'), initialDelaySeconds: 7, periodSeconds: 5 };
    await world.run('web', { readinessProbe });
    await world.pass(21);
    expect(asked).toEqual(['10 ready', '15 ready', '20 ready']);
  });

  test('of liveness restart a container that fails for good', async () => {
    const livenessProbe = { ...probe('live'), periodSeconds: 5, failureThreshold: 2 };
    await world.run('web', { livenessProbe });
    answers.live = 1;
    await world.pass(5);
    expect(await world.main('web')).toMatchObject({ restartCount: 0 });
    await world.pass(5);
    expect(await world.main('web')).toMatchObject({
      restartCount: 1,
      state: { running: {} },
      lastState: { terminated: { exitCode: 0, reason: 'Completed' } },
    });
    expect(await world.events('Unhealthy', 'Killing')).toContain(
      'Normal Killing x1: Container main failed liveness probe, will be restarted',
    );
  });

  test('of liveness end a container that may not be restarted', async () => {
    answers.live = 1;
    const livenessProbe = { ...probe('live'), failureThreshold: 1 };
    await world.run('web', { livenessProbe }, { restartPolicy: 'Never' });
    expect(await world.main('web')).toMatchObject({ restartCount: 0, state: { terminated: {} } });
    expect(await world.events('Killing')).toEqual([
      'Normal Killing x1: Container main failed liveness probe',
    ]);
  });

  test('of liveness that go on failing lead to a back-off from the third restart on', async () => {
    answers.live = 1;
    const livenessProbe = { ...probe('live'), periodSeconds: 1, failureThreshold: 2 };
    await world.run('web', { livenessProbe });
    await world.pass(1);
    expect(await world.main('web')).toMatchObject({ restartCount: 1, state: { running: {} } });
    await world.pass(1);
    expect(await world.main('web')).toMatchObject({ restartCount: 2, state: { running: {} } });
    await world.pass(1);
    expect((await world.main('web'))?.state?.waiting).toMatchObject({
      reason: 'CrashLoopBackOff',
      message: expect.stringContaining('back-off 10s restarting failed container=main'),
    });
    await world.pass(9);
    expect(await world.main('web')).toMatchObject({ restartCount: 3, state: { running: {} } });
  });

  test('of the start hold back the others', async () => {
    answers.started = 1;
    const startupProbe = { ...probe('started'), failureThreshold: 3 };
    await world.run('web', {
      startupProbe,
      livenessProbe: probe('live'),
      readinessProbe: probe('ready'),
    });
    expect(await world.main('web')).toMatchObject({ started: false, ready: false });
    await world.pass(10);
    expect(asked).toEqual(['0 started', '10 started']);
    answers.started = 0;
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ started: true, ready: true, restartCount: 0 });
    expect(asked.slice(2).toSorted()).toEqual(['20 live', '20 ready', '20 started']);
  });

  test('of the start restart what does not come up', async () => {
    answers.started = 1;
    await world.run('web', { startupProbe: { ...probe('started'), failureThreshold: 2 } });
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ restartCount: 1, started: false });
    expect(await world.events('Killing')).toEqual([
      'Normal Killing x1: Container main failed startup probe, will be restarted',
    ]);
  });

  test('that cannot be asked are told of and held against nobody', async () => {
    const livenessProbe = { tcpSocket: { port: 'admin' }, failureThreshold: 1 };
    await world.run('web', { livenessProbe });
    await world.pass(10);
    expect(await world.main('web')).toMatchObject({ restartCount: 0, ready: true });
    expect(await world.events('Unhealthy')).toEqual([
      'Warning Unhealthy x2: Liveness probe errored and resulted in unknown state: strconv.Atoi: parsing "admin": invalid syntax',
    ]);
  });

  test('are not asked of containers that are simulated', async () => {
    const image = 'example.org/simulated';
    await world.run('web', { image, livenessProbe: { tcpSocket: { port: 1 } } });
    await world.pass(60);
    expect(await world.main('web')).toMatchObject({ restartCount: 0, ready: true });
  });
});
