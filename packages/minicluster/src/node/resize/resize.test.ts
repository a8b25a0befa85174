import { type Json, Pod, strategicMergePatch } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestNode } from '../testing/start-test-node.ts';

describe('a resize', () => {
  let world: Awaited<ReturnType<typeof startTestNode>>;
  const requests = (cpu: string) => ({ requests: { cpu } });
  const ask = async (name: string, resources: Json) => {
    const containers = [{ name: 'main', resources }];
    const key = { namespace: 'default', name };
    const patch = strategicMergePatch({ spec: { containers } });
    await world.client.patch(Pod, key, patch, { subresource: 'resize' });
    await world.pass(0);
  };
  const resizing = async (name: string) => {
    const { conditions = [] } = (await world.get(name))?.status ?? {};
    return conditions.filter(({ type }) => type.startsWith('PodResize'));
  };

  beforeEach(async () => {
    const capacity = { cpu: '4' };
    world = await startTestNode({ clock: new VirtualClock(), random: seededRandom(1), capacity });
  });
  afterEach(() => world[Symbol.asyncDispose]());

  test('that fits is made while the container runs', async () => {
    await world.run('web', { resources: requests('1') });
    await ask('web', requests('2'));
    const { status } = (await world.get('web')) ?? {};
    expect(status).toMatchObject({
      observedGeneration: 2,
      containerStatuses: [
        { restartCount: 0, resources: requests('2'), allocatedResources: { cpu: '2' } },
      ],
    });
    expect(await resizing('web')).toEqual([]);
    const summary =
      '{"containers":[{"name":"main","resources":{"requests":{"cpu":"2"}}}],"generation":2}';
    expect(await world.events('ResizeStarted', 'ResizeCompleted')).toEqual([
      `Normal ResizeStarted x1: Pod resize started: ${summary}`,
      `Normal ResizeCompleted x1: Pod resize completed: ${summary}`,
    ]);
  });

  test('can be seen while it goes on', async () => {
    await world.run('web', { resources: requests('1') });
    const { resourceVersion } = await world.client.list(Pod, { namespace: 'default' });
    const selection = { namespace: 'default', resourceVersion };
    const stop = new AbortController();
    const seen = (async () => {
      for await (const event of world.client.watch(Pod, selection, stop.signal)) {
        const conditions = event.type === 'BOOKMARK' ? [] : event.object.status?.conditions;
        const found = conditions?.find(({ type }) => type === 'PodResizeInProgress');
        if (found) return found;
      }
      return undefined;
    })();
    await ask('web', requests('2'));
    expect(await seen).toMatchObject({ status: 'True', observedGeneration: 2 });
    stop.abort();
  });

  test('starts a container again if its policy says so', async () => {
    const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }];
    await world.run('web', { resources: requests('1'), resizePolicy });
    await ask('web', requests('2'));
    expect(await world.main('web')).toMatchObject({ restartCount: 1, resources: requests('2') });
    expect(await world.events('Killing')).toEqual([
      'Normal Killing x1: Container main resize requires restart',
    ]);
  });

  test('that can never fit is infeasible', async () => {
    await world.run('web', { resources: requests('1') });
    await ask('web', requests('5'));
    expect(await resizing('web')).toMatchObject([
      {
        type: 'PodResizePending',
        status: 'True',
        reason: 'Infeasible',
        message: "Node didn't have enough capacity: cpu, requested: 5000, capacity: 4000",
        observedGeneration: 2,
      },
    ]);
    expect(await world.main('web')).toMatchObject({ resources: requests('1') });
    expect(await world.events('ResizeInfeasible')).toHaveLength(1);
  });

  test('that does not fit yet waits until another pod has left', async () => {
    await world.run('web', { resources: requests('1') });
    await world.run('other', { resources: requests('2') });
    await ask('web', requests('3'));
    expect(await resizing('web')).toMatchObject([
      {
        type: 'PodResizePending',
        reason: 'Deferred',
        message:
          "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000",
      },
    ]);
    await world.client.delete(Pod, { namespace: 'default', name: 'other' });
    await world.pass(1);
    expect(await resizing('web')).toEqual([]);
    expect(await world.main('web')).toMatchObject({ resources: requests('3') });
  });

  test('that is called off leaves no trace', async () => {
    await world.run('web', { resources: requests('1') });
    await ask('web', requests('5'));
    await ask('web', requests('1'));
    expect(await resizing('web')).toEqual([]);
  });

  test('counts against the pods that come after it', async () => {
    await world.run('web', { resources: requests('1') });
    await ask('web', requests('3'));
    await world.run('late', { resources: requests('2') });
    expect((await world.get('late'))?.status?.reason).toBe('OutOfcpu');
  });
});
