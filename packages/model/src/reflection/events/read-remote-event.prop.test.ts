import type { CoreEvent, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { forgeReflectedEvent, planEvent } from './plan-event.ts';
import { readRemoteEvent } from './read-remote-event.ts';

const numRuns = Number(process.env.FUZZED_PROVIDER_OBJECTS ?? 1_000);
const route = { consumerClusterID: 'rome', providerClusterID: 'milan' };
const nowMs = Date.UTC(2030, 0, 1);
const subject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'shop', name: 'web', uid: 'u' },
};

const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('x'.repeat(10_000), '\u001b[2J', '__proto__', 'Pod', 'Warning', 'web.1'),
  fc.constantFrom('2029-12-31T23:59:00Z', '2029-12-31T23:59:00.000001Z', '9999-01-01T00:00:00Z'),
);
const values = fc.oneof(
  { weight: 4, arbitrary: texts },
  fc.double(),
  fc.constantFrom(null, true, [], {}, 2 ** 40, -1),
);
const fields = ['eventTime', 'firstTimestamp', 'lastTimestamp', 'count', 'type', 'reason'];
const events = fc.record({
  metadata: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ name: 'web.1', uid: 'e', resourceVersion: '1' }) },
    values,
  ),
  involvedObject: fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'Pod', name: 'web', uid: 'r' }) },
    fc.dictionary(fc.constantFrom('kind', 'name', 'uid', 'fieldPath'), values),
    values,
  ),
  series: fc.oneof(fc.dictionary(fc.constantFrom('count', 'lastObservedTime'), values), values),
  source: fc.oneof(fc.dictionary(fc.constantFrom('component'), values), values),
  others: fc.dictionary(
    fc.constantFrom(...fields, 'message', 'action', 'reportingComponent'),
    values,
  ),
});

const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

test('readRemoteEvent() makes of whatever a provider says an Event that an API server takes', () => {
  let read = 0;
  fc.assert(
    fc.property(events, ({ others, ...rest }) => {
      const event = readRemoteEvent({ ...others, ...rest } as unknown as Stored<CoreEvent>);
      if (!event) return;
      read += 1;
      planEvent(event, undefined, nowMs);
      const forged = forgeReflectedEvent(event, subject, route, nowMs);
      const { note = '', reason = '', action = '', reportingInstance = '', series } = forged;
      expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1_024);
      for (const text of [note, reason, action, reportingInstance]) {
        expect(text).not.toMatch(unprintable);
        expect(text).not.toBe('');
      }
      expect(Math.max(reason.length, action.length, reportingInstance.length)).toBeLessThan(129);
      expect(Date.parse(forged.eventTime)).toBeLessThanOrEqual(nowMs);
      if (series) expect(series.count).toBeGreaterThan(1);
    }),
    { numRuns, seed: 24 },
  );
  expect(read).toBeGreaterThan(numRuns / 20);
});
