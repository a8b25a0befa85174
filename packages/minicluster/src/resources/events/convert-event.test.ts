import type { Event as NewEvent } from '@liqo/kube';
import type { Event as CoreEvent } from 'kubernetes-types/core/v1.d.ts';
import { expect, test } from 'vitest';
import { fromCore, toCore } from './convert-event.ts';

const metadata = { name: 'a', namespace: 'default' };

const core: CoreEvent = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata,
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
  reason: 'Started',
  message: 'Started container',
  type: 'Normal',
  source: { component: 'kubelet', host: 'n' },
  firstTimestamp: '2026-01-02T03:04:05Z',
  lastTimestamp: '2026-01-02T03:04:06Z',
  count: 2,
  reportingComponent: 'kubelet',
  reportingInstance: 'n',
};

test('fromCore() gives the fields of an old event the names of the new API', () => {
  expect(fromCore(core)).toEqual({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata,
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    reason: 'Started',
    note: 'Started container',
    type: 'Normal',
    deprecatedSource: { component: 'kubelet', host: 'n' },
    deprecatedFirstTimestamp: '2026-01-02T03:04:05Z',
    deprecatedLastTimestamp: '2026-01-02T03:04:06Z',
    deprecatedCount: 2,
    reportingController: 'kubelet',
    reportingInstance: 'n',
  });
});

test('toCore() brings back what fromCore() was given', () => {
  expect(toCore(fromCore(core))).toEqual(core);
});

test('toCore() writes out the times and names that a new event left empty', () => {
  const event = {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata,
    eventTime: '2026-01-02T03:04:05.000006Z',
  } as NewEvent;
  expect(toCore(event)).toEqual({
    apiVersion: 'v1',
    kind: 'Event',
    metadata,
    eventTime: '2026-01-02T03:04:05.000006Z',
    involvedObject: {},
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    reportingComponent: '',
    reportingInstance: '',
  });
});
