import type { CertificateSigningRequest, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { forgeSigningRequest, planSigning } from './signing-request.ts';

const now = Date.parse('2026-11-18T20:00:00Z');
const wanted = {
  csr: 'Q1NS',
  consumerClusterID: 'rome',
  secret: { namespace: 'liqo-tenant-rome', name: 'liqo-remote-certificate' },
};

test('forgeSigningRequest() asks for a client certificate, as Liqo v1.2 does', () => {
  expect(forgeSigningRequest(wanted)).toEqual({
    metadata: {
      generateName: 'liqo-identity-',
      labels: { 'liqo.io/remote-tenant-csr': 'true', 'liqo.io/remote-cluster-id': 'rome' },
      annotations: {
        'liqo.io/certificate-secret': 'liqo-tenant-rome/liqo-remote-certificate',
      },
    },
    spec: {
      request: 'Q1NS',
      signerName: 'kubernetes.io/kube-apiserver-client',
      usages: ['digital signature', 'key encipherment', 'client auth'],
    },
  });
});

type Request = Stored<CertificateSigningRequest>;

function requestFor(parts: {
  readonly name?: string;
  readonly createdAtMs?: number;
  readonly spec?: Partial<Request['spec']>;
  readonly status?: Request['status'];
  readonly wanted?: typeof wanted;
}): Request {
  const { name = 'csr-1', createdAtMs = now } = parts;
  const { metadata, spec } = forgeSigningRequest(parts.wanted ?? wanted);
  const creationTimestamp = new Date(createdAtMs).toISOString();
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { ...metadata, name, uid: name, resourceVersion: '1', creationTimestamp },
    spec: { ...spec, ...parts.spec },
    ...(parts.status && { status: parts.status }),
  };
}

const approved = { conditions: [{ type: 'Approved', status: 'True' }] };
const plan = (...requests: readonly Request[]) => planSigning(wanted, requests, now);

test.each([
  ['creates a request where there is none', [], { type: 'create' }],
  ['approves its request', [requestFor({})], { type: 'approve' }],
  ['waits for the signer', [requestFor({ status: approved })], { type: 'wait', lateInMs: 30_000 }],
  [
    'knows a signer that does not answer',
    [requestFor({ status: approved, createdAtMs: now - 31_000 })],
    { type: 'wait', lateInMs: -1_000 },
  ],
  [
    'receives the certificate',
    [requestFor({ status: { ...approved, certificate: 'Q1JU' } })],
    { type: 'receive', certificate: 'Q1JU' },
  ],
  [
    'gives up what was denied',
    [requestFor({ status: { conditions: [{ type: 'Denied', status: 'True', reason: 'No' }] } })],
    { type: 'refused', message: 'the CertificateSigningRequest "csr-1" is Denied: No' },
  ],
  [
    'gives up what the signer could not sign, although it was approved',
    [
      requestFor({
        status: {
          conditions: [
            ...approved.conditions,
            { type: 'Failed', status: 'True', reason: 'Bad', message: 'bad key' },
          ],
        },
      }),
    ],
    { type: 'refused', message: 'the CertificateSigningRequest "csr-1" is Failed: Bad: bad key' },
  ],
] as const)('planSigning() %s', (_, requests, step) => {
  expect(plan(...requests)).toMatchObject({ step, obsolete: [] });
});

test.each([
  ['another request', { request: 'T1RIRVI=' }],
  ['another signer', { signerName: 'kubernetes.io/kubelet-serving' }],
  [
    'more usages',
    { usages: ['digital signature', 'key encipherment', 'client auth', 'server auth'] },
  ],
  ['another life', { expirationSeconds: 600 }],
])('planSigning() never approves %s, and removes it', (_, spec) => {
  const foreign = requestFor({ spec });
  expect(plan(foreign)).toEqual({ step: { type: 'create' }, obsolete: [foreign] });
});

test('planSigning() leaves requests for other certificates alone', () => {
  const secret = { ...wanted.secret, name: 'liqo-remote-certificate-milan' };
  expect(plan(requestFor({ wanted: { ...wanted, secret } }))).toEqual({
    step: { type: 'create' },
    obsolete: [],
  });
});

test('planSigning() goes on with the oldest of several requests, and removes the others', () => {
  const older = requestFor({ name: 'z', createdAtMs: now - 1_000 });
  const younger = requestFor({ name: 'a' });
  expect(plan(younger, older)).toEqual({
    step: { type: 'approve', request: older },
    obsolete: [younger],
  });
});
