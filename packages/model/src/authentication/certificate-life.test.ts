import { expect, test } from 'vitest';
import { judgeCertificate, renewalDueInMs } from './certificate-life.ts';
import { controlPlaneSubject } from './subjects.ts';

const good = {
  subject: [['O=liqo.io'], ['CN=rome']],
  hasExpectedKey: true,
  notBeforeMs: 0,
  notAfterMs: 900,
};
const judge = (certificate: typeof good | undefined, nowMs = 600) =>
  judgeCertificate(certificate, controlPlaneSubject('rome'), nowMs);

test('judgeCertificate() accepts what was asked for, until it expires', () => {
  expect(judge(good)).toBeUndefined();
  expect(judge(good, 899)).toBeUndefined();
  expect(judge(good, 900)).toBe('the certificate has expired');
});

test.each([
  ['nothing', undefined, 'cannot be read'],
  ['another subject', { ...good, subject: [['O=liqo.io'], ['CN=oslo']] }, 'another subject'],
  ['another key', { ...good, hasExpectedKey: false }, 'another key'],
] as const)('judgeCertificate() refuses %s', (_, certificate, problem) => {
  expect(judge(certificate as typeof good | undefined)).toContain(problem);
});

test.each([
  [0, 600],
  [600, 0],
  [700, -100],
])('renewalDueInMs() counts to two thirds of the life: at %d it is %d', (nowMs, dueInMs) => {
  expect(renewalDueInMs(good, nowMs)).toBe(dueInMs);
});
