import type { Advertisement } from '@liqo/api';
import { formatTime, type Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { isSignificant } from './is-significant.ts';
import {
  endedStatus,
  isEnded,
  isReleasedByConsumer,
  type OwnOfferFacts,
  planOwnOffer,
} from './plan-own-offer.ts';

const startMs = Date.UTC(2026, 10, 19, 10);

const facts: OwnOfferFacts = {
  ownClusterID: 'milan',
  consumer: 'rome',
  namespace: 'liqo-tenant-rome',
  config: {
    enableBroadcaster: true,
    resourceSharingPercentage: 30,
    updateThresholdPercentage: 5,
    refreshPeriodSeconds: 600,
    validitySeconds: 1_800,
  },
  hard: { cpu: '100', pods: '110' },
  nodeLabels: {},
  information: { images: [{ names: ['nginx'] }] },
  nowMs: startMs,
};

function sent(): Stored<Advertisement> {
  const step = planOwnOffer(undefined, facts);
  if (step.type !== 'create') throw new Error('It is not created');
  const { metadata, ...others } = step.offer;
  const stored = { uid: 'one', resourceVersion: '1', creationTimestamp: formatTime(startMs) };
  return { ...others, metadata: { ...metadata, ...stored } } as Stored<Advertisement>;
}

test('planOwnOffer() creates an offer that holds for the configured time', () => {
  expect(sent()).toMatchObject({
    metadata: { name: 'advertisement-milan', namespace: 'liqo-tenant-rome' },
    spec: {
      providerClusterID: 'milan',
      consumerClusterID: 'rome',
      timestamp: '2026-11-19T10:00:00Z',
      timeToLive: '2026-11-19T10:30:00Z',
      images: [{ names: ['nginx'] }],
    },
  });
});

describe('planOwnOffer()', () => {
  const later = (ms: number, change: Partial<OwnOfferFacts> = {}) =>
    planOwnOffer(sent(), { ...facts, nowMs: startMs + ms, ...change }).type;
  const config = (change: object) => ({ config: { ...facts.config, ...change } });

  test.each([
    ['leaves an offer until it is due', 599_000, {}, 'leave'],
    ['refreshes an offer that is due', 600_000, {}, 'refresh'],
    ['leaves a change of 3 %', 1_000, { hard: { cpu: '103', pods: '110' } }, 'leave'],
    ['sends a change of 6 %', 1_000, { hard: { cpu: '106', pods: '110' } }, 'refresh'],
    ['sends a resource that goes', 1_000, { hard: { cpu: '100' } }, 'refresh'],
    ['sends another share', 1_000, config({ resourceSharingPercentage: 31 }), 'refresh'],
    ['sends another validity', 1_000, config({ validitySeconds: 3_600 }), 'refresh'],
    ['sends other labels', 1_000, { nodeLabels: { gpu: 'true' } }, 'refresh'],
    ['keeps other images for the next refresh', 1_000, { information: {} }, 'leave'],
    ['refreshes an offer of the far future', -86_400_000, {}, 'refresh'],
  ])('%s', (_, ms, change, type) => expect(later(ms, change)).toBe(type));
});

test('isSignificant() takes every change with a threshold of 0', () => {
  expect(isSignificant({ cpu: '1' }, { cpu: '1001m' }, 0)).toBe(true);
  expect(isSignificant({ cpu: '1' }, { cpu: '1000m' }, 0)).toBe(false);
  expect(isSignificant({ cpu: '0' }, { cpu: '1' }, 100)).toBe(true);
});

test('isReleasedByConsumer() waits for the word of the consumer, and not for ever', () => {
  const deletionTimestamp = formatTime(startMs);
  const deleted = { ...sent(), metadata: { ...sent().metadata, deletionTimestamp } };
  const used = { ...deleted, status: { phase: 'Accepted' as const } };
  expect(isReleasedByConsumer(used, startMs + 59 * 60_000)).toBe(false);
  expect(isReleasedByConsumer(used, startMs + 61 * 60_000)).toBe(true);
  const decision = { value: 'Refused', source: 'Policy', reason: 'Withdrawn' } as const;
  const left = { ...deleted, status: { phase: 'Refused' as const, decision } };
  expect(isReleasedByConsumer(left, startMs)).toBe(true);
  const ended = { ...deleted, status: endedStatus(deleted, formatTime(startMs)) };
  expect(isReleasedByConsumer(ended, startMs)).toBe(true);
});

test('isEnded() holds until the next refresh', () => {
  const offer = { ...sent(), metadata: { ...sent().metadata, generation: 3 } };
  const ended = { ...offer, status: endedStatus(offer, formatTime(startMs)) };
  expect(isEnded(offer)).toBe(false);
  expect(isEnded(ended)).toBe(true);
  expect(isEnded({ ...ended, metadata: { ...ended.metadata, generation: 4 } })).toBe(false);
});
