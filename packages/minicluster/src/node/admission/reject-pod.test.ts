import { mergePatch, Node, Pod } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestNode } from '../testing/start-test-node.ts';

describe('a node', () => {
  let world: Awaited<ReturnType<typeof startTestNode>>;
  const cpu = (amount: string) => ({ resources: { requests: { cpu: amount } } });

  beforeEach(async () => {
    const clock = new VirtualClock();
    const capacity = { cpu: '4', pods: '3' };
    world = await startTestNode({ clock, random: seededRandom(1), capacity });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  test('fails a pod that was bound to it past its capacity, and tells why', async () => {
    await world.run('first', cpu('3'));
    await world.run('second', cpu('2'));
    const message =
      "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000";
    expect((await world.get('second'))?.status).toEqual({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: `Pod was rejected: ${message}`,
      startTime: '2030-01-01T00:00:00Z',
      observedGeneration: 1,
      qosClass: 'Burstable',
    });
    expect(await world.events('OutOfcpu')).toEqual([`Warning OutOfcpu x1: ${message}`]);
    expect((await world.get('first'))?.status?.phase).toBe('Running');
  });

  test('lets go of a pod that it did not take', async () => {
    await world.run('large', cpu('5'));
    await world.client.delete(Pod, { namespace: 'default', name: 'large' });
    await world.pass(0);
    expect(await world.get('large')).toBeUndefined();
  });

  test('counts pods that run, not those that are over', async () => {
    const done = { 'minicluster.liqo-ts.dev/exit-code': '0' };
    await world.run('done', cpu('3'), { restartPolicy: 'Never' }, { annotations: done });
    await world.run('next', cpu('3'));
    expect((await world.get('next'))?.status?.phase).toBe('Running');
  });

  test('looks at its labels as they are now', async () => {
    await world.run('early', {}, { nodeSelector: { disk: 'ssd' } });
    expect((await world.get('early'))?.status).toMatchObject({
      phase: 'Failed',
      reason: 'NodeAffinity',
    });
    const labelled = mergePatch({ metadata: { labels: { disk: 'ssd' } } });
    await world.client.patch(Node, { name: 'worker' }, labelled);
    await world.run('late', {}, { nodeSelector: { disk: 'ssd' } });
    expect((await world.get('late'))?.status?.phase).toBe('Running');
  });
});
