import type { Lease, Node } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { isSilent, observeNode, planSilentConditions } from './node-health.ts';

const ready = { type: 'Ready', status: 'True', lastHeartbeatTime: '2030-01-01T00:00:00Z' };
const posting = stored<Node>('Node', { status: { conditions: [ready] } });
const lease = (renewTime: string): Lease => ({ spec: { renewTime } });

test('isSilent() is true 50 s after the last renewal of the lease, and not before', async () => {
  const clock = new VirtualClock();
  const first = observeNode(posting, lease('2030-01-01T00:00:00.000000Z'), undefined, clock.now());
  await clock.advance(40_000);
  const renewed = lease('2030-01-01T00:00:40.000000Z');
  const second = observeNode(posting, renewed, first, clock.now());
  await clock.advance(50_000);
  const third = observeNode(posting, renewed, second, clock.now());
  expect(isSilent(posting, third, clock.now())).toBe(false);
  await clock.advance(1);
  expect(isSilent(posting, third, clock.now())).toBe(true);
});

test('isSilent() gives a node that never posted a status 60 s from its creation', async () => {
  const clock = new VirtualClock();
  const node = stored<Node>('Node', {});
  const health = observeNode(node, undefined, undefined, clock.now());
  await clock.advance(60_000);
  expect(isSilent(node, health, clock.now())).toBe(false);
  await clock.advance(1);
  expect(isSilent(node, health, clock.now())).toBe(true);
});

test('planSilentConditions() makes everything unknown, once', () => {
  const clock = new VirtualClock();
  const conditions = planSilentConditions(posting, clock.now()) ?? [];
  expect(conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`)).toEqual([
    'Ready Unknown NodeStatusUnknown',
    'MemoryPressure Unknown NodeStatusNeverUpdated',
    'DiskPressure Unknown NodeStatusNeverUpdated',
    'PIDPressure Unknown NodeStatusNeverUpdated',
  ]);
  const known = { ...posting, status: { conditions } };
  expect(planSilentConditions(known, clock.now())).toBeUndefined();
});
