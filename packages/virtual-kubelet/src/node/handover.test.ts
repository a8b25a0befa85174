import { VirtualNode } from '@liqo/api';
import { Client, InProcessTransport, Lease, mergePatch, parseTime } from '@liqo/kube';
import { hearOnceThawed, ProcessClock } from '@liqo/testkit';
import {
  type ApiCall,
  always,
  faultOn,
  isWrite,
  lostRequest,
  noFaults,
  ofCaller,
  refusal,
  serveOver,
} from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OffloadingWorld, startWorld, tenantNamespace } from '../testing/offloading-world.ts';

let world: OffloadingWorld;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const key = { namespace: 'kube-node-lease', name: 'mynode' };

async function lease() {
  const { spec } = (await world.home.admin.get(Lease, key)) ?? {};
  return { holder: spec?.holderIdentity ?? '', renewedMs: parseTime(String(spec?.renewTime)) };
}

async function untilReady(): Promise<void> {
  await world.until(async () => expect((await world.readiness())?.status).toBe('True'));
}

/** How long Kubernetes heard nothing from the node until `next` took over, in the worst moment. */
async function longestSilence(next: string): Promise<number> {
  let longestMs = 0;
  for (let last = await lease(); last.holder !== next; ) {
    await world.pass(1_000);
    const now = await lease();
    longestMs = Math.max(longestMs, world.clock.now() - last.renewedMs);
    expect((await world.readiness())?.status).toBe('True');
    expect(longestMs).toBeLessThan(200_000);
    last = now;
  }
  return longestMs;
}

describe('two kubelets of one node', () => {
  test('only one of them is at work', async () => {
    world.startKubelet({ identity: 'one' });
    await untilReady();
    world.startKubelet({ identity: 'two' });
    await world.runPod('web');
    const { calls } = world.home.faults;
    const isOfTwo = calls.filter(({ who, resource }) => who === 'two' && !/leases/.test(resource));
    expect(isOfTwo).toEqual([]);
  });

  test('one that ends hands over at once, and the node stays ready', async () => {
    const one = world.startKubelet({ identity: 'one' });
    await untilReady();
    world.startKubelet({ identity: 'two' });
    await world.runPod('web');
    const before = await world.remotePod('web');
    await world.pass(15_000);
    await world.stop(one);
    expect(await longestSilence('two')).toBeLessThan(40_000);
    await world.pass(15_000);
    expect((await world.readiness())?.status).toBe('True');
    expect(await world.remotePod('web')).toEqual(before);
    expect(await world.runPod('more')).toBeDefined();
  });

  test('one that dies is followed before Kubernetes finds the node lost', async () => {
    world.startKubelet({ identity: 'one' });
    await untilReady();
    world.startKubelet({ identity: 'two' });
    await world.pass(25_000);
    world.home.faults.plan = ofCaller('one', always(lostRequest('stall')));
    expect(await longestSilence('two')).toBeLessThan(50_000);
    await world.pass(30_000);
    expect((await world.readiness())?.status).toBe('True');
  });

  test('one that was frozen beyond its lease writes nothing when it is thawed, here or at the provider', async () => {
    const clock = new ProcessClock(world.clock);
    const connect = (cluster: typeof world.home, name: string) => {
      const server = serveOver(cluster.cluster.transportFor({ name, groups: ['system:masters'] }));
      const transport = new InProcessTransport(hearOnceThawed(clock, server));
      return new Client({ transport, clock, random: cluster.random });
    };
    world.startKubelet({
      identity: 'one',
      clock,
      local: connect(world.home, 'one'),
      connectProvider: async () => connect(world.away, 'rome-one'),
    });
    await untilReady();
    world.startKubelet({
      identity: 'two',
      connectProvider: async () => world.away.clientOf('rome-two'),
    });
    await world.runPod('web');
    await world.pass(10_000);
    clock.freeze();
    // The successor leads but cannot write, so that there is work left for the former leader.
    const readsOnly = (call: ApiCall) =>
      isWrite(call) && !isLease(call) ? refusal(500) : undefined;
    world.home.faults.plan = ofCaller('two', readsOnly);
    world.away.faults.plan = ofCaller('rome-two', readsOnly);
    await world.createPod('late');
    const labelled = mergePatch({ spec: { labels: { tier: 'silver' } } });
    const virtualNode = { namespace: tenantNamespace, name: 'mynode' };
    await world.home.admin.patch(VirtualNode, virtualNode, labelled);
    await world.pass(60_000);
    expect((await lease()).holder).toBe('two');
    const writes = () =>
      [...world.home.faults.callsOf('one'), ...world.away.faults.callsOf('rome-one')]
        .filter((call) => isWrite(call) && !isLease(call))
        .map(({ verb, path }) => `${verb} ${path}`);
    const before = writes().length;
    expect(before).toBeGreaterThan(0);
    await clock.thaw();
    await world.pass(30_000);
    expect(writes().slice(before)).toEqual([]);
    expect((await lease()).holder).toBe('two');
  });

  test('one whose lease cannot be renewed aborts what is under way, and stands for election again at once', async () => {
    world.startKubelet({ identity: 'one' });
    await untilReady();
    const { renewedMs } = await lease();
    const deadlineMs = renewedMs + 30_000;
    world.home.faults.plan = ofCaller('one', (call) =>
      isLease(call) && isWrite(call) ? lostRequest('reset') : undefined,
    );
    world.away.faults.plan = faultOn(({ verb }) => verb === 'create', lostRequest('stall'));
    await world.pass(deadlineMs - world.clock.now() - 1_000);
    await world.createPod('late');
    await world.pass(990);
    expect(world.away.faults.calls.filter(isWrite).at(-1)).toMatchObject({ verb: 'create' });
    const leaseCalls = () => world.home.faults.callsOf('one').filter(isLease).length;
    const before = leaseCalls();
    await world.pass(500);
    expect(leaseCalls()).toBeGreaterThan(before);
    world.home.faults.plan = noFaults;
    world.away.faults.plan = noFaults;
    await world.until(async () => expect((await world.pod('late'))?.status?.phase).toBe('Running'));
  });
});

function isLease({ resource }: ApiCall): boolean {
  return resource.startsWith('leases');
}
