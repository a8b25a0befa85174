import { type Client, findCondition, mergePatch, Node, Pod } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBareServer } from '../../node/testing/start-bare-server.ts';
import { ControllerContext } from '../controller-context.ts';
import { startPodGcController } from './pod-gc-controller.ts';

describe('startPodGcController()', () => {
  let clock: VirtualClock;
  let client: Client;
  let context: ControllerContext;
  const namespace = 'default';

  beforeEach(async () => {
    clock = new VirtualClock();
    const random = seededRandom(1);
    client = await startBareServer(clock, random);
    context = new ControllerContext(client, { clock, random });
    startPodGcController(context);
    await context.start();
  });
  afterEach(async () => {
    await context[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
    expect(clock.pendingTimers).toBe(0);
  });

  const run = async (name: string, nodeName: string, finalizers: string[] = []) => {
    const containers = [{ name: 'main', image: 'example.org/app' }];
    await client.create(Pod, {
      metadata: { namespace, name, finalizers },
      spec: { nodeName, containers },
    });
  };
  const get = (name: string) => client.get(Pod, { namespace, name });

  test('leaves pods of a missing node alone for a while, then removes them', async () => {
    await client.create(Node, { metadata: { name: 'there' } });
    await run('fine', 'there');
    await run('orphan', 'gone');
    await clock.advance(59_000);
    expect(await get('orphan')).toBeDefined();
    await clock.advance(21_000);
    expect(await get('orphan')).toBeUndefined();
    expect(await get('fine')).toBeDefined();
  });

  test('spares pods whose node comes in time', async () => {
    await run('late', 'soon');
    await clock.advance(50_000);
    await client.create(Node, { metadata: { name: 'soon' } });
    await clock.advance(120_000);
    expect(await get('late')).toMatchObject({ status: { phase: 'Pending' } });
  });

  test('tells an orphan that somebody holds back why it has failed', async () => {
    await run('held', 'gone', ['example.org/hold']);
    await clock.advance(90_000);
    const { status, metadata } = (await get('held')) ?? {};
    expect(metadata?.deletionTimestamp).toBeDefined();
    expect(status?.phase).toBe('Failed');
    expect(findCondition(status?.conditions, 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'DeletionByPodGC',
      message: 'PodGC: node no longer exists',
    });
  });

  test('removes a pod that was to end gracefully and lost its node before', async () => {
    await client.create(Node, { metadata: { name: 'there' } });
    await run('stuck', 'there');
    await client.delete(Pod, { namespace, name: 'stuck' });
    await clock.advance(40_000);
    expect((await get('stuck'))?.metadata.deletionTimestamp).toBeDefined();
    const taints = [{ key: 'node.kubernetes.io/out-of-service', effect: 'NoExecute' }];
    await client.patch(Node, { name: 'there' }, mergePatch({ spec: { taints } }));
    await clock.advance(20_000);
    expect(await get('stuck')).toBeUndefined();
  });
});
