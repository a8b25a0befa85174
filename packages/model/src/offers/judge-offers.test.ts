import { describe, expect, test } from 'vitest';
import {
  automatic,
  byHand,
  decide,
  decideByHand,
  deleting,
  type Offer,
  offerOf,
  offers,
  phases,
  reasonOf,
  verdictsOn,
} from './testing/offers.ts';

const ten = decide(offers(1, 15), automatic(10));

function withSpec(offer: Offer, spec: Partial<Offer['spec']>): Offer {
  return { ...offer, spec: { ...offer.spec, ...spec } };
}

const hard = (resources: Record<string, string>) => ({ resourceQuota: { hard: resources } });
const second = (all: readonly Offer[]) => all.map(({ status }) => status?.decision?.reason);

describe('AutoAcceptMax', () => {
  test('accepts the oldest offers up to the maximum, and refuses the others', () => {
    expect(phases(ten)).toBe('AAAAAAAAAARRRRR');
    expect(reasonOf(ten, 14)).toBe('MaxReached');
  });

  test('accepts the oldest refused offers when the maximum is raised', () => {
    expect(phases(decide(ten, automatic(12)))).toBe('AAAAAAAAAAAARRR');
  });

  test('accepts all offers under a sufficient maximum, and changes nothing the second time', () => {
    const all = decide(ten, automatic(15));
    expect(phases(all)).toBe('A'.repeat(15));
    expect(decide(all, automatic(15))).toEqual(all);
  });

  test('keeps accepted offers when the maximum is lowered, and refuses a new one', () => {
    const all = decide([...ten, offerOf(16)], automatic(5));
    expect(phases(all)).toBe('AAAAAAAAAARRRRRR');
  });

  test('accepts no refused offer while as many as the maximum are accepted', () => {
    const after = decide(ten.slice(5), automatic(5));
    expect(phases(after)).toBe('AAAAARRRRR');
    expect(phases(decide(after.slice(1), automatic(5)))).toBe('AAAAARRRR');
  });

  test('accepts exactly the oldest refused offer when a place is freed', () => {
    const after = decide([...ten].slice(6), automatic(5));
    expect(after.filter((offer) => offer.status?.phase === 'Accepted')).toHaveLength(5);
    expect(after[4]?.status?.phase).toBe('Accepted');
    expect(after[4]?.metadata.name).toBe('advertisement-p11');
  });

  test('refuses the first offer when the maximum is 0', () => {
    const all = decide([offerOf(1)], automatic(0));
    expect([phases(all), reasonOf(all)]).toEqual(['R', 'MaxReached']);
  });

  test('accepts 200 offers when the maximum is 1000000', () => {
    expect(phases(decide(offers(1, 200), automatic(1_000_000)))).toBe('A'.repeat(200));
  });

  test.each([
    ['in order', offers(1, 2)],
    ['reversed', offers(1, 2).toReversed()],
  ])('accepts exactly one of two offers for one place, listed %s', (_, all) => {
    const accepted = decide(all, automatic(1)).filter(({ status }) => status?.phase === 'Accepted');
    expect(accepted.map(({ metadata }) => metadata.name)).toEqual(['advertisement-p1']);
  });

  test('counts accepted offers that it finds after a restart', () => {
    const found = decide(offers(1, 3), automatic(3));
    expect(phases(decide([...found, offerOf(4)], automatic(3)))).toBe('AAAR');
  });

  test('frees the place of an offer under deletion once, and does not judge it', () => {
    const [first, ...others] = decide(offers(1, 3), automatic(2));
    const all = [deleting(first as Offer), ...others];
    expect(phases(decide(all, automatic(2)))).toBe('AAA');
    expect(phases(decide(decide(all, automatic(2)), automatic(2)))).toBe('AAA');
    expect(verdictsOn(all, automatic(2)).has('uid-1')).toBe(false);
  });
});

describe('ManualAccept', () => {
  test.each(['ManualAccept', 'Manual'] as const)('leaves offers pending as %s', (acceptPolicy) => {
    const all = decide([offerOf(1)], { ...byHand, acceptPolicy });
    expect([phases(all), reasonOf(all)]).toEqual(['P', 'WaitingManualDecision']);
  });

  test('accepts what a person accepts', () => {
    const all = decide([decideByHand(offerOf(1), 'Accepted')], byHand);
    expect(all[0]?.status?.decision).toMatchObject({
      value: 'Accepted',
      source: 'Manual',
      reason: 'AcceptedManually',
    });
  });

  test('keeps what a person refused when the policy changes, and judges the others', () => {
    const [first, ...others] = decide(offers(1, 3), byHand);
    const all = decide([decideByHand(first as Offer, 'Refused'), ...others], automatic(10));
    expect(phases(all)).toBe('RAA');
    expect(reasonOf(all)).toBe('RefusedManually');
    expect(decide(all, automatic(10))).toEqual(all);
  });

  test('judges by the policy again what a person hands back', () => {
    const [refused] = decide([decideByHand(offerOf(1), 'Refused')], automatic(10));
    const handedBack = decide([decideByHand(refused as Offer, 'Pending')], automatic(10));
    expect(second(handedBack)).toEqual(['AcceptedByPolicy']);
  });

  test('takes a phase that a person has changed for a decision', () => {
    const [pending] = decide([offerOf(1)], byHand);
    const changed = { ...pending, status: { ...pending?.status, phase: 'Accepted' } } as Offer;
    expect(second(decide([changed], byHand))).toEqual(['AcceptedManually']);
  });

  test('makes the next offer pending when only the policy changes', () => {
    const all = decide([...decide([offerOf(1)], automatic(10)), offerOf(2)], byHand);
    expect(phases(all)).toBe('AP');
  });
});

test('judgeOffers() accepts by hand beyond the maximum, and then none by policy', () => {
  const [first, second, third] = decide(offers(1, 3), automatic(1)) as [Offer, Offer, Offer];
  const all = [first, decideByHand(second, 'Accepted'), third];
  expect(phases(decide(all, automatic(1)))).toBe('AAR');
  expect(phases(decide(all, automatic(2)))).toBe('AAR');
});

test('judgeOffers() refuses an accepted offer by hand, and no refresh revives it', () => {
  const [accepted] = decide([offerOf(1)], automatic(10)) as [Offer];
  const [refused] = decide([decideByHand(accepted, 'Refused')], automatic(10)) as [Offer];
  const refreshed = withSpec(refused, { timestamp: '2026-11-19T10:10:00Z' });
  expect(phases(decide([refreshed], automatic(10)))).toBe('R');
});

describe('the lists of clusters', () => {
  test('the list of denied clusters wins', () => {
    const lists = { allowedClusterIDs: ['p1'], deniedClusterIDs: ['p1'] };
    const all = decide([offerOf(1)], automatic(10, lists));
    expect([phases(all), reasonOf(all)]).toEqual(['R', 'DeniedCluster']);
  });

  test('a cluster that is added to the allowed ones is accepted', () => {
    const some = decide(offers(1, 2), automatic(10, { allowedClusterIDs: ['p1'] }));
    expect(second(some)).toEqual(['AcceptedByPolicy', 'NotInAllowList']);
    expect(phases(decide(some, automatic(10, { allowedClusterIDs: ['p1', 'p2'] })))).toBe('AA');
  });

  test('an accepted offer whose provider is denied later stays accepted, and says so', () => {
    const accepted = decide([offerOf(1)], automatic(10));
    const all = decide(accepted, automatic(10, { deniedClusterIDs: ['p1'] }));
    expect([phases(all), reasonOf(all)]).toEqual(['A', 'PolicyViolation']);
    expect(reasonOf(decide(all, automatic(10)))).toBe('AcceptedByPolicy');
  });

  test('a manually refused offer that is made again is judged by the lists', () => {
    expect(second(decide([offerOf(1)], automatic(10)))).toEqual(['AcceptedByPolicy']);
    const denied = automatic(10, { deniedClusterIDs: ['p1'] });
    expect(second(decide([offerOf(1)], denied))).toEqual(['DeniedCluster']);
  });
});

describe('an offer that cannot be used', () => {
  test.each([
    ['a negative amount', hard({ cpu: '-1m' }), 'InvalidResources'],
    ['no resources', hard({}), 'InvalidResources'],
    ['a fraction of a pod', hard({ pods: '1.5' }), 'InvalidResources'],
    ['another consumer', { consumerClusterID: 'turin' }, 'IdentityMismatch'],
    ['another provider', { providerClusterID: 'p2' }, 'IdentityMismatch'],
    ['an end before its start', { timeToLive: '2026-11-19T09:00:00Z' }, 'InvalidTimeToLive'],
    ['no time', { timestamp: 'yesterday' }, 'InvalidTimeToLive'],
    ['an end in two years', { timeToLive: '2028-11-19T09:00:00Z' }, 'InvalidTimeToLive'],
    ['a withdrawal', { withdrawalTimestamp: '2026-11-19T10:00:00Z' }, 'Withdrawn'],
  ])('is refused with %s, and takes no place', (_, spec, reason) => {
    const all = decide([withSpec(offerOf(1), spec), offerOf(3)], automatic(1));
    expect(second(all)).toEqual([reason, 'AcceptedByPolicy']);
  });

  test('is refused under another name than the one of its provider', () => {
    const more = offerOf(1);
    const other = { ...more, metadata: { ...more.metadata, name: 'second', uid: 'uid-other' } };
    expect(second(decide([more, other], automatic(10)))).toEqual([
      'AcceptedByPolicy',
      'IdentityMismatch',
    ]);
  });

  test('is accepted when a refresh makes it valid', () => {
    const refused = decide([withSpec(offerOf(1), hard({ cpu: '-1' }))], automatic(10));
    const refreshed = withSpec(refused[0] as Offer, hard({ cpu: '2' }));
    expect(phases(decide([refreshed], automatic(10)))).toBe('A');
  });

  test('stays refused when a person accepts it', () => {
    const invalid = withSpec(offerOf(1), hard({ cpu: '-1' }));
    expect(phases(decide([decideByHand(invalid, 'Accepted')], byHand))).toBe('R');
  });

  test('is no longer accepted once it is withdrawn, also by hand, and is again when that is taken back', () => {
    const withdrawalTimestamp = '2026-11-19T10:00:00Z';
    const all = decide([offerOf(1), offerOf(2)], automatic(1));
    const [one, two] = all as [Offer, Offer];
    const gone = decide([withSpec(one, { withdrawalTimestamp }), two], automatic(1));
    expect(second(gone)).toEqual(['Withdrawn', 'AcceptedByPolicy']);
    const manual = decideByHand(withSpec(one, { withdrawalTimestamp }), 'Accepted');
    expect(reasonOf(decide([manual], automatic(1)))).toBe('Withdrawn');
    const { withdrawalTimestamp: _, ...spec } = (gone[0] as Offer).spec;
    expect(phases(decide([{ ...(gone[0] as Offer), spec }], automatic(1)))).toBe('A');
  });

  test('stays accepted after an invalid refresh', () => {
    const [accepted] = decide([offerOf(1)], automatic(10)) as [Offer];
    expect(phases(decide([withSpec(accepted, hard({ cpu: '-1' }))], automatic(10)))).toBe('A');
  });

  test('is accepted with zero of everything', () => {
    expect(phases(decide([offerOf(1, hard({ cpu: '0' }))], automatic(10)))).toBe('A');
  });
});

test('judgeOffers() keeps accepted offers without a ClusterConfig, and lets new ones wait', () => {
  const all = decide([...decide([offerOf(1)], automatic(10)), offerOf(2)], undefined);
  expect(second(all)).toEqual(['AcceptedByPolicy', 'NoConfiguration']);
  expect(phases(decide(all, automatic(10)))).toBe('AA');
});
