import type { Event } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import { EventCorrelator } from './event-correlator.ts';

const nowMs = Date.UTC(2030, 0, 1);

function event(message: string, change: Partial<Event> = {}): Event {
  return {
    metadata: { namespace: 'home', name: `web.${message}` },
    involvedObject: { kind: 'ReplicaSet', namespace: 'home', name: 'web', uid: 'uid-of-web' },
    type: 'Normal',
    reason: 'SuccessfulCreate',
    message,
    source: { component: 'replicaset-controller' },
    reportingComponent: 'replicaset-controller',
    firstTimestamp: 'early',
    lastTimestamp: 'early',
    count: 1,
    ...change,
  };
}

test('EventCorrelator counts up what happens again, under the name of the first time', () => {
  const correlator = new EventCorrelator();
  const first = event('a');
  expect(correlator.correlate(first, nowMs)).toEqual({ isRepeated: false, event: first });
  const late = { firstTimestamp: 'late', lastTimestamp: 'late' };
  const again = event('a', { metadata: { namespace: 'home', name: 'web.again' }, ...late });
  expect(correlator.correlate(again, nowMs)).toEqual({
    isRepeated: true,
    event: { ...first, count: 2, lastTimestamp: 'late' },
  });
});

test.each<[string, Partial<Event>]>([
  ['another message', { message: 'b' }],
  ['another reason', { reason: 'FailedCreate' }],
  ['another type', { type: 'Warning' }],
  ['another component', { source: { component: 'job-controller' } }],
  ['another object', { involvedObject: { kind: 'ReplicaSet', uid: 'uid-of-other' } }],
])('EventCorrelator tells events with %s apart', (_, change) => {
  const correlator = new EventCorrelator();
  correlator.correlate(event('a'), nowMs);
  const other = correlator.correlate(event('a', change), nowMs);
  expect(other).toMatchObject({ isRepeated: false, event: { count: 1 } });
});

test('EventCorrelator combines the tenth message and further ones that differ in nothing else', () => {
  const correlator = new EventCorrelator();
  const told = Array.from({ length: 12 }, (_, index) =>
    correlator.correlate(event(`Created pod: ${index}`), nowMs),
  );
  expect(told.slice(0, 9).map((one) => one?.event.count)).toEqual(Array(9).fill(1));
  const combined = told.slice(9);
  expect(combined.map((one) => one?.event.message)).toEqual(
    [9, 10, 11].map((index) => `(combined from similar events): Created pod: ${index}`),
  );
  expect(combined.map((one) => one?.event.count)).toEqual([1, 2, 3]);
  expect(new Set(combined.map((one) => one?.event.metadata.name)).size).toBe(1);
  expect(combined[0]?.event.reportingComponent).toBeUndefined();
});

test('EventCorrelator tells messages one by one again after ten quiet minutes', () => {
  const correlator = new EventCorrelator();
  for (let index = 0; index < 10; index += 1) correlator.correlate(event(`${index}`), nowMs);
  const late = correlator.correlate(event('late'), nowMs + 600_001);
  expect(late?.event.message).toBe('late');
});

test('EventCorrelator stays silent after 25 events about an object, and counts on', () => {
  const correlator = new EventCorrelator();
  const tell = (atMs: number) => correlator.correlate(event('a'), atMs);
  const told = Array.from({ length: 30 }, () => tell(nowMs));
  expect(told.filter(Boolean)).toHaveLength(25);
  expect(tell(nowMs + 299_000)).toBeUndefined();
  expect(tell(nowMs + 300_000)?.event.count).toBe(32);
  expect(tell(nowMs + 300_000)).toBeUndefined();
});
