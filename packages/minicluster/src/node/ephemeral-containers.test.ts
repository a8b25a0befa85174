import { Pod, strategicMergePatch } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestNode } from './testing/start-test-node.ts';

const prefix = 'minicluster.liqo-ts.dev/';

describe('an ephemeral container', () => {
  let world: Awaited<ReturnType<typeof startTestNode>>;
  const look = async (name: string) => {
    const ephemeralContainers = [{ name, image: 'example.org/debug' }];
    const patch = strategicMergePatch({ spec: { ephemeralContainers } });
    const key = { namespace: 'default', name: 'web' };
    await world.client.patch(Pod, key, patch, { subresource: 'ephemeralcontainers' });
    await world.pass(0);
  };
  const seen = async () => (await world.get('web'))?.status?.ephemeralContainerStatuses ?? [];

  beforeEach(async () => {
    world = await startTestNode({ clock: new VirtualClock(), random: seededRandom(1) });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  test('runs beside the others once it is added, and is told of', async () => {
    await world.run('web');
    await look('first');
    await look('second');
    expect((await seen()).map(({ name, state }) => [name, Object.keys(state ?? {})])).toEqual([
      ['first', ['running']],
      ['second', ['running']],
    ]);
    expect((await world.get('web'))?.status).toMatchObject({ observedGeneration: 3 });
  });

  test('is not started again and decides nothing about the pod', async () => {
    const annotations = { [`${prefix}exit-code.first`]: '3', [`${prefix}ready.second`]: 'false' };
    await world.run('web', {}, {}, { annotations });
    await look('first');
    await look('second');
    await world.pass(60);
    expect((await seen()).find(({ name }) => name === 'first')).toMatchObject({
      restartCount: 0,
      state: { terminated: { exitCode: 3 } },
    });
    const { phase, conditions = [] } = (await world.get('web'))?.status ?? {};
    expect(phase).toBe('Running');
    expect(conditions.find(({ type }) => type === 'Ready')?.status).toBe('True');
  });

  test('runs in a pod that is still being initialized', async () => {
    const initContainers = [{ name: 'init', image: 'example.org/app' }];
    await world.run('web', {}, { initContainers });
    await look('first');
    expect((await seen())[0]?.state).toHaveProperty('running');
  });

  test('goes with its pod', async () => {
    await world.run('web');
    await look('first');
    await world.client.delete(Pod, { namespace: 'default', name: 'web' });
    await world.pass(1);
    expect(await world.get('web')).toBeUndefined();
    expect(await world.events('Killing')).toHaveLength(2);
  });
});
