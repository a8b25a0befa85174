import type { KubeObject } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { type AdmissionAttributes, AdmissionChain } from '../../admission/admission.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';
import type { Authorizer } from '../access.ts';
import { certificateAdmission } from './certificate-admission.ts';
import requests from './certificate-requests.vectors.json' with { type: 'json' };

const resource = {
  group: 'certificates.k8s.io',
  plural: 'certificatesigningrequests',
} as Resource;
const spec = { request: '', signerName: 'example.org/one', usages: [] };
const request = (status: object = {}) =>
  ({ metadata: { name: 'one' }, spec, status }) as KubeObject;

/** Admission with the rights to these verbs on these signers. */
function chain(...rights: readonly string[]): AdmissionChain {
  const authorizer: Authorizer = {
    authorize: ({ verb, resource: target }) => ({
      allowed: target?.plural === 'signers' && rights.includes(`${verb} ${target.name}`),
      reason: '',
    }),
  };
  return new AdmissionChain(certificateAdmission(authorizer));
}

const attributes = (more: Partial<AdmissionAttributes>): AdmissionAttributes => ({
  operation: 'UPDATE',
  resource,
  subresource: '',
  namespace: undefined,
  name: 'one',
  object: request(),
  previous: request() as Item,
  options: {},
  dryRun: false,
  user: { name: 'jane', uid: '7', groups: ['team'], extra: {} },
  signal: new AbortController().signal,
  warn: () => undefined,
  ...more,
});

test('a new request is stamped with who made it', async () => {
  const lying = { ...request(), spec: { ...spec, username: 'root', extra: { a: ['b'] } } };
  const creation = attributes({ operation: 'CREATE', previous: undefined, object: lying });
  expect(await chain().mutate(creation)).toMatchObject({
    spec: { ...spec, username: 'jane', uid: '7', groups: ['team'] },
  });
});

test('a request keeps its stamp when it is updated', async () => {
  const object = { ...request(), spec: { ...spec, username: 'john' } };
  expect(await chain().mutate(attributes({ object }))).toBe(object);
});

test('approval takes the right to approve for the signer, or for its domain', async () => {
  const approval = attributes({ subresource: 'approval' });
  await chain('approve example.org/one').validate(approval);
  await chain('approve example.org/*').validate(approval);
  expect(await rejection(chain('sign example.org/one').validate(approval))).toMatchObject({
    message:
      'certificatesigningrequests.certificates.k8s.io "one" is forbidden: user not permitted to approve requests with signerName "example.org/one"',
  });
});

test('a certificate or a condition takes the right to sign, other changes of the status do not', async () => {
  const change = (status: object) => attributes({ subresource: 'status', object: request(status) });
  await chain().validate(change({}));
  await chain('sign example.org/one').validate(change({ certificate: 'x' }));
  for (const status of [{ certificate: 'x' }, { conditions: [{ type: 'Failed' }] }]) {
    expect(
      await rejection(chain('approve example.org/one').validate(change(status))),
    ).toMatchObject({
      code: 403,
      message: expect.stringContaining('not permitted to sign requests'),
    });
  }
});

test('nobody becomes a master by a client certificate, nor by one that cannot be read', async () => {
  const signerName = 'kubernetes.io/kube-apiserver-client';
  const ask = (pem: string) => {
    const encoded = Buffer.from(pem).toString('base64');
    const object = { ...request(), spec: { ...spec, signerName, request: encoded } };
    return chain().validate(attributes({ operation: 'CREATE', previous: undefined, object }));
  };
  await ask(requests['ECDSA P-256']);
  expect(await rejection(ask('hello'))).toMatchObject({
    code: 403,
    message: expect.stringContaining('failed to parse CSR: PEM block type must be'),
  });
});

test('other resources are none of its business', async () => {
  const pods = { group: '', plural: 'pods' } as Resource;
  await chain().validate(
    attributes({ resource: pods, subresource: 'status', object: request({ certificate: 'x' }) }),
  );
});
