import { type Client, Event, Lease, mergePatch, Node, Pod } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBareServer } from '../../node/testing/start-bare-server.ts';
import { ControllerContext } from '../controller-context.ts';
import { startNodeLifecycleController } from './node-lifecycle-controller.ts';

describe('startNodeLifecycleController()', () => {
  let clock: VirtualClock;
  let client: Client;
  let context: ControllerContext;

  beforeEach(async () => {
    clock = new VirtualClock();
    const random = seededRandom(1);
    client = await startBareServer(clock, random);
    context = new ControllerContext(client, { clock, random });
    startNodeLifecycleController(context);
    await context.start();
  });
  afterEach(async () => {
    await context[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
  });

  const stories = async () => {
    const { items } = await client.list(Event, { namespace: 'default' });
    return items.map(({ reason, regarding, note }) => `${reason} ${regarding?.kind}: ${note}`);
  };

  test('tells of nodes that come and go, within seconds', async () => {
    await client.create(Node, { metadata: { name: 'worker' } });
    await clock.advance(5_000);
    const registered =
      'RegisteredNode Node: Node worker event: Registered Node worker in Controller';
    expect(await stories()).toEqual([registered]);
    await client.delete(Node, { name: 'worker' });
    await clock.advance(5_000);
    expect(await stories()).toEqual([
      registered,
      'RemovingNode Node: Node worker event: Removing Node worker from Controller',
    ]);
  });

  test('tells of a node that fell silent once, and so do its pods', async () => {
    await client.create(Node, { metadata: { name: 'worker' } });
    const conditions = [{ type: 'Ready', status: 'True' }];
    const ready = mergePatch({ status: { conditions } });
    await client.patch(Node, { name: 'worker' }, ready, { subresource: 'status' });
    const lease = { namespace: 'kube-node-lease', name: 'worker' };
    await client.create(Lease, { metadata: lease });
    const pod = { namespace: 'default', name: 'web' };
    const containers = [{ name: 'main', image: 'example.org/app' }];
    await client.create(Pod, { metadata: pod, spec: { nodeName: 'worker', containers } });
    await client.patch(Pod, pod, ready, { subresource: 'status' });
    await clock.advance(50_000);
    expect(await stories()).toHaveLength(1);
    await clock.advance(60_000);
    const told = await stories();
    expect(told.toSorted().slice(0, 2)).toEqual([
      'NodeNotReady Node: Node worker status is now: NodeNotReady',
      'NodeNotReady Pod: Node is not ready',
    ]);
    expect(told).toHaveLength(3);
  });
});
