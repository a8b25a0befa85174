import { Advertisement, ClusterConfig } from '@liqo/api';
import { mergePatch } from '@liqo/kube';
import type { ClusterSnapshot } from '@liqo/minicluster';
import { together } from '@liqo/runtime';
import { rejection } from '@liqo/testkit';
import { FaultScript, isWrite, ofCaller, refusal } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTenantAccessController } from '../tenant-access/tenant-access-controller.ts';
import { drawConsumer, OfferWorld, offerKeyOf } from '../testing/offers/offer-world.ts';
import { startOfferController } from './offer-controller.ts';

/** The cases of the design by number, as far as they are about which offers are accepted. */

const providers = Array.from({ length: 16 }, (_, index) => `a${index + 1}`);
const first = (count: number) => providers.slice(0, count);

let from: ClusterSnapshot;
let world: OfferWorld;

beforeAll(async () => {
  from = await drawConsumer(providers);
});

async function start(): Promise<void> {
  world = await OfferWorld.start({
    from,
    operator: (context) =>
      together([startTenantAccessController(context), startOfferController(context)]),
  });
}

const end = () => world[Symbol.asyncDispose]();

function inOneWorld(): void {
  beforeAll(start);
  afterAll(end);
}

function inWorldsOfTheirOwn(): void {
  beforeEach(start);
  afterEach(end);
}

const automatic = (maxAcceptableAdvertisements: number, lists: object = {}) => {
  const none = { allowedClusterIDs: [], deniedClusterIDs: [] };
  const acceptPolicy = 'AutoAcceptMax' as const;
  return world.configure({ acceptPolicy, maxAcceptableAdvertisements, ...none, ...lists });
};
const byHand = () => world.configure({ acceptPolicy: 'ManualAccept' });

/** `A` accepted, `R` refused, `P` pending, `-` gone, in the order of the providers. */
async function phases(count: number): Promise<string> {
  const all = await Promise.all(first(count).map((provider) => world.phase(provider)));
  return all.map((phase) => phase?.charAt(0) ?? '-').join('');
}

async function withdraw(...gone: readonly string[]): Promise<void> {
  for (const provider of gone) await world.withdraw(provider);
  await world.pass(6_000);
}

const versions = async () => {
  const { items } = await world.admin.list(Advertisement);
  return items.map(({ metadata }) => metadata.resourceVersion);
};

describe('15 offers under AutoAcceptMax', () => {
  inOneWorld();

  test('case 1: the oldest 10 are accepted, and the others are refused', async () => {
    await automatic(10);
    await world.offer(...first(15));
    expect(await phases(15)).toBe('AAAAAAAAAARRRRR');
    for (const provider of providers.slice(10, 15)) {
      expect(await world.reason(provider)).toBe('MaxReached');
    }
  });

  test('case 2: the oldest refused ones are accepted when the maximum is raised', async () => {
    await automatic(12);
    expect(await phases(15)).toBe('AAAAAAAAAAAARRR');
  });

  test('case 3: all are accepted under a sufficient maximum, and the same one again writes nothing', async () => {
    await automatic(15);
    expect(await phases(15)).toBe('A'.repeat(15));
    const before = await versions();
    await automatic(15);
    await world.pass(1_000);
    expect(await versions()).toEqual(before);
  });

  test('case 8: one more is accepted with a maximum of 1000000, and the API refuses more and less than none', async () => {
    await automatic(1_000_000);
    await world.offer('a16');
    expect(await phases(16)).toBe('A'.repeat(16));
    for (const most of [1_000_001, -1]) {
      expect(await rejection(automatic(most))).toMatchObject({ code: 422 });
    }
  });
});

describe('10 accepted of 15 offers', () => {
  inOneWorld();

  test('case 4: stay accepted with their virtual nodes under a lower maximum, and a new one is refused', async () => {
    await automatic(10);
    await world.offer(...first(15));
    await automatic(5);
    await world.offer('a16');
    expect(await phases(16)).toBe('AAAAAAAAAARRRRRR');
    for (const provider of first(10)) expect(await world.virtualNode(provider)).toBeDefined();
  });

  test('case 5: keep the refused ones out while as many as the maximum are accepted', async () => {
    await withdraw(...first(5));
    expect(await phases(16)).toBe('-----AAAAARRRRRR');
  });

  test('case 6: let exactly the oldest refused one in when a place is freed', async () => {
    await withdraw('a6');
    expect(await phases(16)).toBe('------AAAAARRRRR');
  });
});

describe('AutoAcceptMax', () => {
  inWorldsOfTheirOwn();

  test('case 7: refuses the first offer when the maximum is 0 from the start', async () => {
    await world.stopOperator();
    await automatic(0);
    world.startOperator();
    await world.offer('a1');
    expect([await world.phase('a1'), await world.reason('a1')]).toEqual(['Refused', 'MaxReached']);
  });

  test.each([1, 2, 3, 4])(
    'case 9: accepts exactly one of two offers that arrive at once for one place, in order %i',
    async (order) => {
      await automatic(1);
      await world.stopOperator();
      const both = order % 2 === 0 ? ['a1', 'a2'] : ['a2', 'a1'];
      for (const provider of both) await world.lend(provider);
      world.startOperator();
      await world.pass(order * 200);
      await Promise.all(both.map((provider) => world.publish(provider)));
      await world.pass(2_000);
      expect((await phases(2)).split('').toSorted().join('')).toBe('AR');
    },
  );

  test('case 10: counts what was accepted before a restart', async () => {
    await automatic(3);
    await world.offer('a1', 'a2', 'a3');
    world.killOperator();
    await world.offer('a4');
    world.startOperator();
    await world.pass(2_000);
    expect(await phases(4)).toBe('AAAR');
  });

  test('case 11: frees the place of an offer that is long in going once', async () => {
    await automatic(2);
    await world.offer('a1', 'a2', 'a3', 'a4');
    const held = mergePatch({ metadata: { finalizers: ['test/held'] } });
    await world.patchVirtualNode('a1', held);
    await world.withdraw('a1');
    for (let label = 0; label < 5; label++) {
      await world.patchOffer('a1', { metadata: { labels: { label: String(label) } } });
      await world.pass(10_000);
    }
    expect(await phases(4)).toBe('AAAR');
    expect((await world.found('a1'))?.metadata.deletionTimestamp).toBeDefined();
  });
});

describe('ManualAccept', () => {
  inWorldsOfTheirOwn();

  test('case 12: leaves an offer pending when it is set at the start', async () => {
    await world.stopOperator();
    await byHand();
    world.startOperator();
    await world.offer('a1');
    expect([await world.phase('a1'), await world.reason('a1')]).toEqual([
      'Pending',
      'WaitingManualDecision',
    ]);
    expect(await world.virtualNode('a1')).toBeUndefined();
  });

  test('case 13: gives an offer that a person accepts its virtual node', async () => {
    await byHand();
    await world.offer('a1');
    await world.decide('a1', 'Accepted');
    expect((await world.found('a1'))?.status?.decision).toMatchObject({
      value: 'Accepted',
      source: 'Manual',
      reason: 'AcceptedManually',
    });
    expect(await world.virtualNode('a1')).toBeDefined();
  });

  test('case 14: keeps what a person refused when the policy changes, and judges the others', async () => {
    await byHand();
    await world.offer('a1', 'a2', 'a3');
    await world.decide('a1', 'Refused');
    await automatic(10);
    expect(await phases(3)).toBe('RAA');
    expect(await world.reason('a1')).toBe('RefusedManually');
  });

  test('case 15: lets a person accept beyond the maximum, and then accepts none by policy', async () => {
    await automatic(1);
    await world.offer('a1', 'a2');
    await world.decide('a2', 'Accepted');
    await world.offer('a3');
    expect(await phases(3)).toBe('AAR');
    expect(await world.reason('a3')).toBe('MaxReached');
  });

  test('case 17: leaves the next offer pending when only the policy changes', async () => {
    await automatic(10);
    await world.offer('a1');
    await world.configure({ acceptPolicy: 'ManualAccept', maxAcceptableAdvertisements: 10 });
    await world.offer('a2');
    expect(await phases(2)).toBe('AP');
  });

  test('case 18: is meant by Manual as well', async () => {
    await world.configure({ acceptPolicy: 'Manual' });
    await world.offer('a1');
    expect(await world.reason('a1')).toBe('WaitingManualDecision');
  });
});

describe('the lists of clusters', () => {
  inWorldsOfTheirOwn();

  test('case 19: refuse a provider that is in both', async () => {
    await automatic(10, { allowedClusterIDs: ['a1'], deniedClusterIDs: ['a1'] });
    await world.offer('a1');
    expect(await world.reason('a1')).toBe('DeniedCluster');
  });

  test('case 20: accept a provider as soon as it is allowed', async () => {
    await automatic(10, { allowedClusterIDs: ['a1'] });
    await world.offer('a1', 'a2');
    expect([await phases(2), await world.reason('a2')]).toEqual(['AR', 'NotInAllowList']);
    await automatic(10, { allowedClusterIDs: ['a1', 'a2'] });
    expect(await phases(2)).toBe('AA');
  });

  test('case 21: leave an accepted offer whose provider is denied later, with an event', async () => {
    await automatic(10);
    await world.offer('a1');
    const before = await world.virtualNode('a1');
    await automatic(10, { deniedClusterIDs: ['a1'] });
    await world.pass(10_000);
    expect([await world.phase('a1'), await world.reason('a1')]).toEqual([
      'Accepted',
      'PolicyViolation',
    ]);
    expect((await world.virtualNode('a1'))?.metadata.uid).toBe(before?.metadata.uid);
    const violations = world.events.filter(({ reason }) => reason === 'PolicyViolation');
    expect(violations).toMatchObject([{ type: 'Warning' }]);
  });
});

describe('an offer that cannot be used', () => {
  inWorldsOfTheirOwn();

  /** More than the schema lets in: the API server has others, of later versions. */
  const unusable = { resourceQuota: { hard: { 'no name!': '1' } } };

  test('case 22: is refused without taking a place, and the API refuses negative amounts', async () => {
    await automatic(1);
    await world.lend('a1');
    const negative = { resourceQuota: { hard: { cpu: '-1m' } } };
    expect(await rejection(world.publish('a1', negative))).toMatchObject({ code: 422 });
    await world.publish('a1', unusable);
    await world.offer('a2');
    expect(await world.reason('a1')).toBe('InvalidResources');
    expect(await world.phase('a2')).toBe('Accepted');
  });

  test('case 23: is accepted when a refresh makes it valid', async () => {
    await automatic(1);
    await world.lend('a1');
    await world.publish('a1', unusable);
    await world.refresh('a1', { resourceQuota: { hard: { 'no name!': null, cpu: '2' } } });
    expect(await world.phase('a1')).toBe('Accepted');
    expect((await world.virtualNode('a1'))?.spec.resourceQuota?.hard).toEqual({ cpu: '2' });
  });

  test('case 24: is one of nothing, and not one of zero', async () => {
    await automatic(10);
    for (const provider of first(2)) await world.lend(provider);
    await world.publish('a1', { resourceQuota: { hard: { cpu: '0', pods: '0' } } });
    expect(await world.phase('a1')).toBe('Accepted');
    expect(await world.virtualNode('a1')).toBeDefined();
    const empty = await rejectionOrReason('a2', { resourceQuota: { hard: {} } });
    expect(empty).toMatch(/422|InvalidResources/);
  });

  /** How an offer is refused: by the API, or by the operator. */
  async function rejectionOrReason(provider: string, spec: object): Promise<string> {
    try {
      await world.publish(provider, spec);
      return (await world.reason(provider)) ?? '';
    } catch (error) {
      return String((error as { readonly code?: number }).code);
    }
  }

  test('case 29: is refused outside of the tenant namespace of its provider', async () => {
    await automatic(10);
    await world.publish('a2', { providerClusterID: 'a1' });
    expect(await world.reason('a2')).toBe('IdentityMismatch');
  });

  test('case 67: is refused under a second name, without taking a place', async () => {
    await automatic(2);
    await world.offer('a1');
    await world.publish('a1', {}, 'second');
    const key = { ...offerKeyOf('a1'), name: 'second' };
    const second = await world.admin.get(Advertisement, key);
    expect(second?.status?.decision?.reason).toBe('IdentityMismatch');
    await world.offer('a2');
    expect(await world.phase('a2')).toBe('Accepted');
  });
});

describe('a decision', () => {
  inWorldsOfTheirOwn();

  test('case 66: on an offer that a person refused is taken anew when the provider makes it again', async () => {
    await automatic(10);
    await world.offer('a1');
    await world.decide('a1', 'Refused');
    await withdraw('a1');
    await world.publish('a1');
    expect(await world.reason('a1')).toBe('AcceptedByPolicy');
    await automatic(10, { deniedClusterIDs: ['a1'] });
    await withdraw('a1');
    await world.publish('a1');
    expect(await world.reason('a1')).toBe('DeniedCluster');
  });

  test('case 68: without a ClusterConfig accepted offers stay, and new ones are judged on its return', async () => {
    await automatic(10);
    await world.offer('a1');
    const before = await world.virtualNode('a1');
    await world.unconfigure();
    await world.offer('a2');
    await world.pass(10_000);
    expect([await world.phase('a1'), await world.reason('a2')]).toEqual([
      'Accepted',
      'NoConfiguration',
    ]);
    expect((await world.virtualNode('a1'))?.metadata.uid).toBe(before?.metadata.uid);
    await automatic(10);
    expect(await phases(2)).toBe('AA');
  });

  test('case 69: neither a decision nor a refresh at the same time is lost', async () => {
    await byHand();
    await world.offer('a1');
    const script = new FaultScript();
    world.faults.plan = ofCaller('operator', script.plan);
    // The provider refreshes between what the operator has read and what it writes.
    const refresh = {
      ...refusal(409),
      before: () => void world.refresh('a1', { resourceQuota: { hard: { cpu: '16' } } }),
    };
    script.next((call) => isWrite(call) && call.resource.startsWith('advertisements'), refresh);
    await automatic(10);
    await world.pass(5_000);
    expect(script.left).toBe(0);
    expect(await world.phase('a1')).toBe('Accepted');
    expect((await world.found('a1'))?.spec.resourceQuota.hard).toMatchObject({ cpu: '16' });
    expect((await world.virtualNode('a1'))?.spec.resourceQuota?.hard).toMatchObject({ cpu: '16' });
  });

  test('case 70: ten equal configurations a second cause no writes and no events', async () => {
    await automatic(1);
    await world.offer('a1', 'a2');
    const before = await versions();
    const events = world.events.length;
    for (let label = 0; label < 10; label++) {
      const patch = mergePatch({ metadata: { labels: { label: String(label) } } });
      await world.admin.patch(ClusterConfig, { name: 'configuration' }, patch);
      await world.pass(100);
    }
    expect(await versions()).toEqual(before);
    expect(world.events).toHaveLength(events);
  });
});
