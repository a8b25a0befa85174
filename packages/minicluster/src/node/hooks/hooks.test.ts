import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mergePatch, Pod } from '@liqo/kube';
import { eventually, seededRandom, VirtualClock } from '@liqo/testkit';
import type { Lifecycle } from 'kubernetes-types/core/v1.d.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProgramContext } from '../containers/image-registry.ts';
import { startTestNode } from '../testing/start-test-node.ts';

describe('hooks', () => {
  const did: string[] = [];
  let clock: VirtualClock;
  let world: Awaited<ReturnType<typeof startTestNode>>;
  const note = (what: string) => did.push(`${clock.monotonicMs() / 1000} ${what}`);
  const pod = { namespace: 'default', name: 'web' };
  const command = (...words: string[]) => ({ exec: { command: words } });
  const nap = (seconds: number) => ({ sleep: { seconds } }) as NonNullable<Lifecycle['preStop']>;

  beforeEach(async () => {
    did.length = 0;
    clock = new VirtualClock();
    const run = ({ signal }: ProgramContext) =>
      new Promise<number>((resolve) => {
        note('run');
        const stop = () => {
          note('term');
          resolve(0);
        };
        signal.addEventListener('abort', stop, { once: true });
      });
    const exec = async ({ args }: ProgramContext) => {
      note(args.join(' '));
      if (args[0] === 'hang') return new Promise<number>(() => {});
      return args[0] === 'fail' ? 1 : 0;
    };
    const images = new Map([['example.org/app', { run, exec }]]);
    world = await startTestNode({ clock, random: seededRandom(1), images });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  test('after the start keep a container from showing as running until they are done', async () => {
    await world.run('web', { lifecycle: { postStart: nap(5) } });
    expect((await world.main('web'))?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    await world.pass(5);
    const running = { startedAt: '2030-01-01T00:00:00Z' };
    expect(await world.main('web')).toMatchObject({ ready: true, state: { running } });
  });

  test('after the start that fail cost the container its life', async () => {
    await world.run('web', { lifecycle: { postStart: command('fail') } });
    expect(await world.main('web')).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    });
    expect(await world.events('FailedPostStartHook', 'Killing')).toEqual([
      'Warning FailedPostStartHook x2: PostStartHook failed',
      'Normal Killing x2: FailedPostStartHook',
    ]);
  });

  test('before the end come before the container is told to stop', async () => {
    await world.run('web', { lifecycle: { preStop: nap(4) } });
    await world.client.delete(Pod, pod);
    await world.pass(5);
    expect(did).toEqual(['0 run', '4 term']);
    expect(await world.get('web')).toBeUndefined();
  });

  test('before the end get no longer than the grace period', async () => {
    const lifecycle = { preStop: command('hang') };
    await world.run('web', { lifecycle }, { terminationGracePeriodSeconds: 6 });
    await world.client.delete(Pod, pod);
    await world.pass(7);
    expect(did).toEqual(['0 run', '0 hang', '6 term']);
    expect(await world.events('FailedPreStopHook', 'Killing')).toEqual([
      'Normal Killing x1: Stopping container main',
    ]);
  });

  test('before the end that fail are told of and stop nothing', async () => {
    await world.run('web', { lifecycle: { preStop: command('fail') } });
    await world.client.delete(Pod, pod);
    await world.pass(1);
    expect(did).toEqual(['0 run', '0 fail', '0 term']);
    expect(await world.events('FailedPreStopHook')).toEqual([
      'Warning FailedPreStopHook x1: PreStopHook failed',
    ]);
  });

  test('before the end come before a restart too, in the grace that the probe allows', async () => {
    const livenessProbe = {
      ...command('fail'),
      failureThreshold: 1,
      periodSeconds: 60,
      terminationGracePeriodSeconds: 3,
    };
    const lifecycle = { preStop: command('hang') };
    await world.run('web', { lifecycle, livenessProbe });
    await world.pass(4);
    expect(did).toEqual(['0 run', '0 fail', '0 hang', '3 term', '3 run', '3 fail', '3 hang']);
  });

  test('give way when a second deletion leaves less time', async () => {
    await world.run('web', { lifecycle: { preStop: nap(20) } });
    await world.client.delete(Pod, pod);
    await world.pass(1);
    await world.client.delete(Pod, pod, { gracePeriodSeconds: 3 });
    await world.pass(4);
    expect(did).toEqual(['0 run', '4 term']);
  });

  test('may ask for a page, whatever the answer is', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.url} ${request.headers['user-agent']}`);
      response.writeHead(500).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await world.run('web', { lifecycle: { postStart: { httpGet: { port, path: '/hello' } } } });
    await eventually(async () => {
      expect((await world.main('web'))?.state).toHaveProperty('running');
    });
    expect(asked).toEqual(['/hello kube-lifecycle/1.35']);
    await new Promise((resolve) => server.close(resolve));
  });

  test('of simulated containers are waited for when they sleep, and else passed over', async () => {
    const image = 'example.org/simulated';
    const lifecycle = { postStart: command('fail'), preStop: nap(4) };
    await world.run('web', { image, lifecycle });
    expect(await world.main('web')).toMatchObject({ ready: true, restartCount: 0 });
    const kept = mergePatch({ metadata: { finalizers: ['example.org/keep'] } });
    await world.client.patch(Pod, pod, kept);
    await world.client.delete(Pod, pod);
    await world.pass(3);
    expect((await world.main('web'))?.state).toHaveProperty('running');
    await world.pass(1);
    expect((await world.main('web'))?.state).toHaveProperty('terminated');
  });
});
