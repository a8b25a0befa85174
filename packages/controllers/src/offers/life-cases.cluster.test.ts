import {
  Advertisement,
  Configuration,
  ResourceSlice,
  VirtualNode,
  virtualKubeletName,
} from '@liqo/api';
import { Deployment, findCondition, mergePatch, Node, Pod, PodDisruptionBudget } from '@liqo/kube';
import type { ClusterSnapshot } from '@liqo/minicluster';
import { together } from '@liqo/runtime';
import { CrashPoint } from '@liqo/testkit/faults';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findWrongInHistory } from '../testing/offers/offer-invariants.ts';
import {
  drawConsumer,
  OfferWorld,
  offerKeyOf,
  validFrom,
  virtualNodeKeyOf,
} from '../testing/offers/offer-world.ts';
import { startVirtualNodeController } from '../virtual-nodes/virtual-node-controller.ts';
import { startOfferController } from './offer-controller.ts';
import { startOfferKeepalive } from './offer-keepalive.ts';

/** The cases of the design by number, as far as they are about what becomes of an accepted offer. */

const provider = 'milan';
const drainTimeoutMs = 120_000;

let from: ClusterSnapshot;
let world: OfferWorld;

beforeAll(async () => {
  from = await drawConsumer([provider, 'rome']);
});

beforeEach(async () => {
  world = await OfferWorld.start({
    from,
    operator: (context) =>
      together([
        startOfferController(context),
        startOfferKeepalive(context),
        startVirtualNodeController(context, { drainTimeoutMs }),
      ]),
  });
  await world.configure({}, { keepaliveThreshold: 3, keepaliveRetryTime: 20 });
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  expect(findWrongInHistory(world.kubelets.history)).toEqual([]);
});

const { namespace, name: nodeName } = virtualNodeKeyOf(provider);
const kubelet = { namespace, name: virtualKubeletName(nodeName) };
const found = () => world.found(provider);
const node = () => world.admin.get(Node, { name: nodeName });
const quota = async () => (await world.virtualNode(provider))?.spec.resourceQuota?.hard;
const podsOnNode = async () => {
  const fieldSelector = `spec.nodeName=${nodeName}`;
  return (await world.admin.list(Pod, { fieldSelector })).items;
};
const reasons = () => world.events.map(({ reason }) => reason);

/** A finalizer that only the test takes away. */
async function hold(isHeld: boolean): Promise<void> {
  const patch = mergePatch({ metadata: { finalizers: isHeld ? ['test/held'] : null } });
  const pods = await podsOnNode();
  for (const { metadata } of pods) await world.admin.patch(Pod, metadata, patch);
}

/** Before it went. */
function wasUnreachable(): boolean {
  return world.kubelets.history.some(({ kind, object }) => {
    const { conditions } = (object as Advertisement).status ?? {};
    const reachable = kind === 'Advertisement' && findCondition(conditions, 'Reachable');
    return reachable && reachable.status === 'False';
  });
}

async function leavesNothing(): Promise<void> {
  expect(await world.virtualNode(provider)).toBeUndefined();
  expect(await node()).toBeUndefined();
  expect(await world.admin.get(Deployment, kubelet)).toBeUndefined();
  expect(await podsOnNode()).toEqual([]);
}

async function isGone(): Promise<void> {
  expect(await found()).toBeUndefined();
  await leavesNothing();
}

describe('a refresh', () => {
  test('case 25: that cannot be used leaves the last good values', async () => {
    await world.offer(provider);
    const before = await quota();
    await world.refresh(provider, { resourceQuota: { hard: { 'no name!': '1' } } });
    expect(await world.phase(provider)).toBe('Accepted');
    expect(await quota()).toEqual(before);
    expect(await world.condition(provider, 'SpecApplied')).toMatchObject({ status: 'False' });
  });

  test('case 26: that drops a resource and a label takes both from the virtual node', async () => {
    await world.lend(provider);
    await world.publish(provider, {
      resourceQuota: { hard: { cpu: '4', 'nvidia.com/gpu': '1' } },
      labels: { zone: 'north' },
    });
    expect((await world.virtualNode(provider))?.spec.labels).toMatchObject({ zone: 'north' });
    await world.refresh(provider, {
      resourceQuota: { hard: { 'nvidia.com/gpu': null } },
      labels: { zone: null },
    });
    expect(await quota()).toEqual({ cpu: '4' });
    expect((await world.virtualNode(provider))?.spec.labels).not.toHaveProperty('zone');
  });

  test('case 27: to less than what runs evicts nothing', async () => {
    await world.offer(provider);
    const before = await podsOnNode();
    await world.refresh(provider, { resourceQuota: { hard: { memory: '1Mi' } } });
    await world.pass(60_000);
    expect(await quota()).toMatchObject({ memory: '1Mi' });
    expect(await podsOnNode()).toEqual(before);
    expect((await node())?.spec?.unschedulable).not.toBe(true);
  });
});

describe('an accepted offer', () => {
  const configuration = { namespace, name: provider };

  async function remap(pod: readonly string[] | null): Promise<void> {
    const patch = mergePatch({ status: { remote: { cidr: { pod } } } } as never);
    await world.admin.patch(Configuration, configuration, patch, { subresource: 'status' });
    await world.pass(100);
  }

  test('case 30: waits for the remapping of the network, and for no timer once it is published', async () => {
    await world.admin.create(Configuration, { metadata: configuration, spec: {} });
    await world.offer(provider);
    expect(await world.phase(provider)).toBe('Accepted');
    expect(await world.condition(provider, 'NetworkReady')).toMatchObject({ status: 'False' });
    await world.pass(10 * 60_000);
    expect(await world.virtualNode(provider)).toBeUndefined();
    await remap(['10.80.0.0/16']);
    expect(await world.virtualNode(provider)).toBeDefined();
  });

  test('case 31: takes a range that is the same as that of the provider for a published one', async () => {
    const spec = { remote: { cidr: { pod: ['10.200.0.0/16'] } } };
    await world.admin.create(Configuration, { metadata: configuration, spec });
    await remap(['10.200.0.0/16']);
    await world.offer(provider);
    expect(await world.condition(provider, 'NetworkReady')).toMatchObject({ status: 'True' });
    expect(await world.virtualNode(provider)).toBeDefined();
  });

  test('case 32: keeps its virtual node when the network is lost, and recovers', async () => {
    await world.admin.create(Configuration, { metadata: configuration, spec: {} });
    await remap(['10.80.0.0/16']);
    await world.offer(provider);
    const before = await world.virtualNode(provider);
    await remap(null);
    expect(await world.condition(provider, 'NetworkReady')).toMatchObject({ status: 'False' });
    const after = await world.virtualNode(provider);
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.metadata.deletionTimestamp).toBeUndefined();
    await remap(['10.80.0.0/16']);
    expect(await world.condition(provider, 'NetworkReady')).toMatchObject({ status: 'True' });
  });

  test('case 33: waits for its Secret without an error storm, and for no timer once it is there', async () => {
    await world.publish(provider);
    const before = world.faults.calls.length;
    await world.pass(5 * 60_000);
    // A look a minute, and the watches.
    expect(world.faults.calls.length - before).toBeLessThan(30);
    expect(await world.virtualNode(provider)).toBeUndefined();
    await world.lend(provider);
    await world.pass(100);
    expect(await world.virtualNode(provider)).toBeDefined();
  });

  test('case 37: has its VirtualNode again that a person deletes, after all of it has gone', async () => {
    await world.offer(provider);
    const before = await world.virtualNode(provider);
    await world.admin.delete(VirtualNode, { namespace, name: nodeName });
    await world.pass(20_000);
    const after = await world.virtualNode(provider);
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(after?.spec).toEqual(before?.spec);
    expect(await node()).toBeDefined();
  });

  test('case 61: says that a slice has its name, until the slice is gone', async () => {
    const owner = { apiVersion: 'authentication.liqo.io/v1beta1', kind: ResourceSlice.kind };
    const ownerReferences = [{ ...owner, name: nodeName, uid: 'of-the-slice' }];
    const metadata = { namespace, name: nodeName, ownerReferences };
    await world.admin.create(VirtualNode, { metadata, spec: { clusterID: provider } });
    await world.offer(provider);
    const conflict = { reason: 'NameConflict' };
    expect(await world.condition(provider, 'VirtualNodeReady')).toMatchObject(conflict);
    await world.admin.delete(VirtualNode, { namespace, name: nodeName });
    await world.pass(20_000);
    expect((await found())?.status).toMatchObject({ virtualNodeRef: { name: nodeName } });
  });
});

describe('an offer goes', () => {
  const causes: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['deleted', () => world.withdraw(provider)],
    ['refused by a person', () => world.decide(provider, 'Refused')],
    [
      'withdrawn by a time in its spec',
      () =>
        world.patchOffer(provider, {
          spec: { withdrawalTimestamp: validFrom(world.clock.now()).timestamp },
        }),
    ],
    ['expired', () => world.pass(31 * 60_000)],
    [
      'given up, as its provider does not answer',
      async () => {
        world.silent.add(provider);
        await world.pass(61_000);
      },
    ],
  ];

  test.each(causes)('case 40: in order when it is %s', async (_, cause) => {
    await world.offer(provider);
    expect(await podsOnNode()).toHaveLength(1);
    await cause();
    await world.pass(20_000);
    await leavesNothing();
    const wasThere = world.kubelets.history.filter(
      ({ type, kind }) => type === 'DELETED' && kind !== 'Advertisement',
    );
    expect(wasThere.map(({ kind }) => kind).toSorted()).toEqual([
      'Deployment',
      'Node',
      'Pod',
      'VirtualNode',
    ]);
  });

  test('case 39: though its virtual kubelet is deleted during the drain', async () => {
    await world.offer(provider);
    await hold(true);
    await world.withdraw(provider);
    await world.pass(3_000);
    await world.admin.delete(Deployment, kubelet);
    await world.pass(3_000);
    expect(await world.admin.get(Deployment, kubelet)).toBeDefined();
    await hold(false);
    await world.pass(20_000);
    await isGone();
  });

  test('case 41: after the budget that keeps a pod, or after the deadline, with an event', async () => {
    await world.offer(provider);
    const [pod] = await podsOnNode();
    const key = { namespace: 'shop', name: pod?.metadata.name ?? '' };
    const conditions = [{ type: 'Ready', status: 'True' }];
    const marks = mergePatch({ metadata: { labels: { app: 'kept' } } });
    await world.admin.patch(Pod, key, marks);
    await world.admin.patch(
      Pod,
      key,
      mergePatch({ status: { phase: 'Running', conditions } } as never),
      { subresource: 'status' },
    );
    await world.admin.create(PodDisruptionBudget, {
      metadata: { name: 'keep', namespace: 'shop' },
      spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'kept' } } },
    });
    await world.withdraw(provider);
    await world.pass(60_000);
    expect(await world.condition(provider, 'VirtualNodeReady')).toBeDefined();
    expect(await podsOnNode()).toHaveLength(1);
    await world.pass(drainTimeoutMs);
    await isGone();
    expect(reasons()).toContain('PodsAbandoned');
  });

  test('case 42: at once when its network was never ready', async () => {
    const metadata = { namespace, name: provider };
    await world.admin.create(Configuration, { metadata, spec: {} });
    await world.offer(provider);
    await world.withdraw(provider);
    await isGone();
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'case 43: with all that was made of it, though the operator died at write %i of its acceptance',
    async (at) => {
      const crash = new CrashPoint({ at, when: at % 2 === 0 ? 'before' : 'after' });
      await world.lend(provider);
      world.faults.plan = crash.plan;
      await world.publish(provider);
      world.killOperator();
      await world.withdraw(provider);
      world.startOperator();
      await world.pass(30_000);
      await isGone();
    },
  );

  test('case 44: with a provider that is dead, and no finalizer stays', async () => {
    await world.offer(provider);
    await hold(true);
    world.silent.add(provider);
    await world.pass(90_000);
    expect(wasUnreachable()).toBe(true);
    expect(await found()).toBeUndefined();
    expect(await world.virtualNode(provider)).toBeUndefined();
    expect(reasons()).toContain('PodsAbandoned');
    await hold(false);
    await isGone();
  });

  test('case 45: before the next one of its provider has a virtual node', async () => {
    await world.offer(provider);
    const before = await world.virtualNode(provider);
    await hold(true);
    // As if an administrator had removed the finalizer: the VirtualNode stays, and drains.
    const bare = mergePatch({ metadata: { finalizers: null } });
    await world.admin.delete(VirtualNode, { namespace, name: nodeName });
    await world.admin.delete(Advertisement, offerKeyOf(provider));
    await world.admin.patch(Advertisement, offerKeyOf(provider), bare);
    await world.pass(100);
    const { history } = world.kubelets;
    history.splice(0, history.length, ...history.filter(({ kind }) => kind !== 'Advertisement'));
    await world.publish(provider);
    expect(await world.condition(provider, 'VirtualNodeReady')).toMatchObject({
      reason: 'PreviousInstanceTerminating',
    });
    await hold(false);
    await world.pass(20_000);
    const after = await world.virtualNode(provider);
    expect(after).toBeDefined();
    expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
  });
});

describe('an offer that is not refreshed', () => {
  test('case 46: expires after its validity, and not before', async () => {
    await world.offer(provider);
    await world.pass(10 * 60_000);
    await world.refresh(provider);
    await world.pass(30 * 60_000 - 2_000);
    expect((await found())?.metadata.deletionTimestamp).toBeUndefined();
    await world.pass(20_000);
    await isGone();
    expect(reasons()).toContain('Expired');
  });

  test.each([-2, 2])(
    'case 47: expires by the clock of the consumer, that of the provider being %i h off',
    async (hours) => {
      await world.lend(provider);
      await world.publish(provider, validFrom(world.clock.now() + hours * 3_600_000));
      await world.pass(29 * 60_000);
      expect((await found())?.metadata.deletionTimestamp).toBeUndefined();
      await world.pass(2 * 60_000);
      await isGone();
    },
  );

  test('case 48: expires also when it is refused or pending', async () => {
    await world.configure({ acceptPolicy: 'ManualAccept' });
    await world.offer(provider, 'rome');
    await world.decide(provider, 'Refused');
    expect([await world.phase(provider), await world.phase('rome')]).toEqual([
      'Refused',
      'Pending',
    ]);
    await world.pass(31 * 60_000);
    expect([await found(), await world.found('rome')]).toEqual([undefined, undefined]);
  });

  test.each([-1, 0, 1])(
    'case 49: is accepted with a VirtualNode, or gone without, when a refresh comes %i ms after its end',
    async (afterMs) => {
      await world.offer(provider);
      const { expirationTime = '' } = (await found())?.status ?? {};
      await world.pass(Date.parse(expirationTime) + afterMs - world.clock.now());
      await world.refresh(provider).catch(() => undefined);
      await world.pass(20_000);
      expect((await world.virtualNode(provider)) !== undefined).toBe(
        (await world.phase(provider)) === 'Accepted',
      );
    },
  );
});

describe('a provider that does not answer', () => {
  async function isSilentFor(ms: number): Promise<void> {
    world.silent.add(provider);
    await world.pass(ms);
    world.silent.delete(provider);
  }

  test('case 50: twice, and once more after an answer, loses nothing', async () => {
    await world.offer(provider);
    await isSilentFor(40_000);
    await world.pass(20_000);
    await isSilentFor(40_000);
    expect(await world.phase(provider)).toBe('Accepted');
    expect((await found())?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('case 51: three times is given up, with Reachable False, until its next offer', async () => {
    await world.offer(provider);
    await isSilentFor(65_000);
    expect(wasUnreachable()).toBe(true);
    await world.pass(30_000);
    await isGone();
    // The peering is as it was: the next offer is judged anew.
    await world.publish(provider);
    expect(await world.phase(provider)).toBe('Accepted');
  });

  test('case 52: is given up also after a restart of the operator, by the threshold of the moment', async () => {
    await world.offer(provider);
    world.killOperator();
    world.startOperator();
    await world.configure({}, { keepaliveThreshold: 20 });
    await isSilentFor(3 * 60_000);
    expect((await found())?.metadata.deletionTimestamp).toBeUndefined();
    await world.configure({}, { keepaliveThreshold: 2 });
    await isSilentFor(61_000);
    await world.pass(30_000);
    await isGone();
  });
});
