import { VirtualClock } from '@liqo/testkit';
import type { CertificateSigningRequest } from 'kubernetes-types/certificates/v1.d.ts';
import { expect, test } from 'vitest';
import type { Item } from '../../store/collection.ts';
import { ClusterAuthority } from './cluster-authority.ts';
import {
  approvedRequest,
  signingRequestStrategy,
  validateApproval,
} from './signing-request-strategy.ts';

const clock = new VirtualClock({ startMs: Date.UTC(2030, 0, 1) });
const strategy = signingRequestStrategy(clock);
const now = '2030-01-01T00:00:00Z';
const before = '2029-01-01T00:00:00Z';
const certificate = Buffer.from(new ClusterAuthority(clock).certificate).toString('base64');

type Status = NonNullable<CertificateSigningRequest['status']>;
const request = (status: Status): Item & CertificateSigningRequest =>
  ({
    metadata: { name: 'one', uid: 'u', resourceVersion: '1', creationTimestamp: before },
    spec: { request: '', signerName: 'example.org/one', usages: [] },
    status,
  }) as unknown as Item & CertificateSigningRequest;
const said = (type: string, more: object = {}) => ({ type, status: 'True', ...more });
const timed = (type: string, more: object = {}) =>
  said(type, { lastUpdateTime: before, lastTransitionTime: before, ...more });

const fieldsOf = (problems: readonly { readonly message: string }[] | undefined) =>
  problems?.map(({ message }) => message).filter((message) => message.startsWith('Forbidden'));

test('onCreate() forgets whatever status a request came with', () => {
  expect(strategy.onCreate?.(request({ certificate }))).toMatchObject({ status: {} });
});

test('onUpdate() keeps what was asked for, and the status', () => {
  const next = { ...request({}), spec: { request: 'x', signerName: 'y', usages: ['z'] } };
  const previous = request({ certificate });
  expect(strategy.onUpdate?.(next, previous)).toMatchObject({
    spec: previous.spec,
    status: { certificate },
  });
});

test('onStatusUpdate() times new conditions, and keeps the times of old ones', () => {
  const previous = request({ conditions: [timed('Seen')] });
  const next = request({ conditions: [said('Seen', { lastUpdateTime: now }), said('Failed')] });
  expect(strategy.onStatusUpdate?.(next, previous)).toMatchObject({
    status: {
      conditions: [
        { type: 'Seen', lastUpdateTime: now, lastTransitionTime: before },
        { type: 'Failed', lastUpdateTime: now, lastTransitionTime: now },
      ],
    },
  });
});

test('onStatusUpdate() keeps an approval in the words in which it was said', () => {
  const previous = request({ conditions: [timed('Approved', { reason: 'Good' })] });
  const next = request({ conditions: [said('Approved', { reason: 'Bad' })] });
  const updated = strategy.onStatusUpdate?.(next, previous);
  expect(updated).toMatchObject({
    status: { conditions: [timed('Approved', { reason: 'Good' })] },
  });
});

test('onStatusUpdate() lets labels through, and nothing that is the server to keep', () => {
  const metadata = { name: 'one', uid: 'other', labels: { a: 'b' } };
  const updated = strategy.onStatusUpdate?.({ ...request({}), metadata }, request({}));
  expect(updated?.metadata).toMatchObject({ uid: 'u', labels: { a: 'b' } });
});

test.each([
  [
    'add an approval',
    {},
    { conditions: [timed('Approved')] },
    'updates may not add a condition of type "Approved"',
  ],
  [
    'add a denial',
    {},
    { conditions: [timed('Denied')] },
    'updates may not add a condition of type "Denied"',
  ],
  [
    'remove a failure',
    { conditions: [timed('Failed')] },
    {},
    'updates may not remove a condition of type "Failed"',
  ],
  [
    'replace a certificate',
    { certificate },
    { certificate: 'x' },
    'updates may not modify existing certificate content',
  ],
])('validateStatusUpdate() does not let the status %s', (_, previous, next, message) => {
  const problems = strategy.validateStatusUpdate?.(request(next), request(previous));
  expect(fieldsOf(problems)).toEqual([`Forbidden: ${message}`]);
});

test('validateStatusUpdate() lets a certificate, or a failure, be written once', () => {
  const next = request({ certificate, conditions: [timed('Failed')] });
  expect(fieldsOf(strategy.validateStatusUpdate?.(next, request({})))).toEqual([]);
});

test('approvedRequest() has all conditions of the write, and no certificate of its', () => {
  const next = request({ certificate: 'x', conditions: [said('Approved')] });
  expect(approvedRequest(next, request({ certificate }), clock)).toMatchObject({
    status: { certificate, conditions: [{ type: 'Approved', lastUpdateTime: now }] },
  });
});

test('validateApproval() does not let an approval be taken back', () => {
  const previous = request({ conditions: [timed('Approved')] });
  const next = approvedRequest(request({}), previous, clock);
  expect(fieldsOf(validateApproval(next, previous))).toEqual([
    'Forbidden: updates may not remove a condition of type "Approved"',
  ]);
});
