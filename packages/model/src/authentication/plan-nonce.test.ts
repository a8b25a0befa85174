import { annotations } from '@liqo/api';
import { expect, test } from 'vitest';
import { nonceLifetimeMs, printNonceRecord, readNonceRecord, recordNonce } from './nonce-record.ts';
import { planNonce } from './plan-nonce.ts';

const now = Date.parse('2026-11-18T20:00:00Z');
const record = recordNonce('once', now);
const later = now + nonceLifetimeMs;

test.each([
  ['issues one where there is none', '', undefined, now, 'NonceGenerated'],
  ['issues one where a record outlived its nonce', '', record, now, 'NonceGenerated'],
  ['replaces one that this cluster did not issue', 'once', undefined, now, 'NonceReplaced'],
  ['replaces one that was issued before the last one', 'before', record, now, 'NonceReplaced'],
  ['replaces one that has expired', 'once', record, later, 'NonceExpired'],
] as const)('planNonce() %s', (_, nonce, known, moment, reason) => {
  expect(planNonce(nonce, known, moment)).toEqual({ type: 'issue', reason });
});

test('planNonce() keeps a nonce until it expires', () => {
  expect(planNonce('once', record, later - 1)).toEqual({ type: 'keep', expiresInMs: 1 });
});

const read = (text: string) =>
  readNonceRecord({ metadata: { annotations: { [annotations.issuedNonce]: text } } });

test('readNonceRecord() reads what printNonceRecord() prints, and does not show the nonce', () => {
  const printed = printNonceRecord(record);
  expect(read(printed)).toEqual(record);
  expect(printed).not.toContain('once');
});

test.each([
  '',
  'once',
  `${'a'.repeat(64)}`,
  `${'a'.repeat(64)} tomorrow`,
  `${'g'.repeat(64)} 2026-11-18T20:00:00Z`,
  `${'a'.repeat(64)} 2026-11-18T20:00:00Z\nmore`,
])('readNonceRecord() reads nothing from %j', (text) => {
  expect(read(text)).toBeUndefined();
});

test('readNonceRecord() reads nothing from a namespace without annotations', () => {
  expect(readNonceRecord({})).toBeUndefined();
});
