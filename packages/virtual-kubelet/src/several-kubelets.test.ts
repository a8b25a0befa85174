import { Pod } from '@liqo/kube';
import { Metrics, type Stoppable } from '@liqo/runtime';
import { startTestCluster, type TestCluster } from '@liqo/testkit/cluster';
import { always, lostRequest } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createVirtualNode,
  type OffloadingWorld,
  prepareProvider,
  startWorld,
  tenantNamespace,
} from './testing/offloading-world.ts';
import { PlayedProvider } from './testing/played-provider.ts';
import { consumerUser } from './testing/rights.ts';

let world: OffloadingWorld;
let turin: TestCluster;
let toTurin: Stoppable;

beforeEach(async () => {
  world = await startWorld();
  turin = await startTestCluster({ clock: world.clock, seed: 3 });
  await prepareProvider(turin);
  world.providers.push(new PlayedProvider(turin.admin));
  await createVirtualNode(world, 'other', 'turin');
  await world.map({ shop: 'shop-rome' }, 'turin');
  const metrics = new Metrics();
  world.startKubelet({ metrics });
  toTurin = world.startKubelet({
    metrics,
    virtualNode: { namespace: tenantNamespace, name: 'other' },
    providerClusterID: 'turin',
    connectProvider: async () => turin.clientWithRightsOf(consumerUser('rome'), 'rome'),
  });
  await untilReady('mynode', 'True');
  await untilReady('other', 'True');
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await turin[Symbol.asyncDispose]();
});

async function untilReady(node: string, status: string): Promise<void> {
  await world.until(async () => expect((await world.readiness(node))?.status).toBe(status));
}

async function namesAt({ admin }: TestCluster): Promise<string[]> {
  return (await admin.list(Pod)).items.map(({ metadata }) => metadata.name);
}

describe('two virtual kubelets in one process', () => {
  test('bring each pod to the provider of its node', async () => {
    await world.runPod('to-milan');
    await world.runPod('to-turin', { nodeName: 'other' });
    expect(await namesAt(world.away)).toEqual(['to-milan']);
    expect(await namesAt(turin)).toEqual(['to-turin']);
  });

  test('do not share the fate of a provider', async () => {
    await world.runPod('to-milan');
    await world.runPod('to-turin', { nodeName: 'other' });
    const before = await world.pod('to-milan');
    turin.faults.plan = always(lostRequest('stall'));
    await untilReady('other', 'False');
    expect((await world.readiness('mynode'))?.status).toBe('True');
    expect(await world.pod('to-milan')).toEqual(before);
    await world.runPod('later');
  });

  test('end one by one', async () => {
    await world.runPod('to-turin', { nodeName: 'other' });
    await world.stop(toTurin);
    await world.runPod('to-milan');
    await world.pass(60_000);
    expect((await world.readiness('mynode'))?.status).toBe('True');
    expect(await namesAt(turin)).toEqual(['to-turin']);
  });
});
