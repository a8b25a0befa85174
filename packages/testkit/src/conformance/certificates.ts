import { X509Certificate } from 'node:crypto';
import { CertificateSigningRequest, mergePatch, resourcePath } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { certificateSigning } from './certificate-signing.ts';
import { fresh, grant, makeUser, refusalOf } from './rights.ts';
import {
  approve,
  approved,
  clientSigner,
  createApproved,
  createRequest,
  encode,
  jane,
  putConditions,
  requestCertificate,
  type SigningRequest,
} from './signing-requests.ts';
import type { GetSubjectWithUsers } from './subject.ts';

/** CertificateSigningRequests: how they are made, approved and signed. */
export function certificates(subject: GetSubjectWithUsers): void {
  describe('certificate signing requests', () => {
    creation(subject);
    approval(subject);
    signatures(subject);
    certificateSigning(subject);
  });
}

const group = 'certificates.k8s.io';

const make = async (subject: GetSubjectWithUsers, spec: object = {}) => {
  const { request } = await requestCertificate(jane);
  return createRequest(subject().client, request, spec);
};

/** Somebody who may read and write requests, but has no say about signers. */
const makeClerk = (subject: GetSubjectWithUsers) =>
  makeUser(
    subject,
    [
      {
        apiGroups: [group],
        resources: ['', '/approval', '/status'].map((part) => `certificatesigningrequests${part}`),
        verbs: ['create', 'get', 'patch', 'update'],
      },
    ],
    { everywhere: true },
  );

function creation(subject: GetSubjectWithUsers): void {
  test('a request tells who made it, whatever it says itself', async () => {
    const { client, name } = await makeClerk(subject);
    await using clerk = client;
    const { request } = await requestCertificate(jane);
    const made = await createRequest(clerk, request, {
      username: 'somebody-else',
      uid: '7',
      groups: ['system:masters'],
      extra: { a: ['b'] },
    });
    expect(made.spec).toEqual({
      request: encode(request),
      signerName: clientSigner,
      usages: ['client auth'],
      username: name,
      groups: ['team', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [expect.any(String)] },
    });
    expect(made.status).toEqual({});
  });

  test('a request cannot be approved, or signed, by whoever makes it', async () => {
    const { request } = await requestCertificate(jane);
    const made = await subject().client.create(CertificateSigningRequest, {
      metadata: { name: fresh('csr') },
      spec: { request: encode(request), signerName: clientSigner, usages: ['client auth'] },
      status: { certificate: encode('x'), conditions: [approved] },
    });
    expect(made.status).toEqual({});
  });

  const invalid = async (spec: object, field = '') => {
    const error = (await rejection(make(subject, spec))) as Error & { details: object };
    expect(error).toMatchObject({ code: 422, reason: 'Invalid' });
    if (field) expect(error.details).toMatchObject({ causes: [{ field }] });
    return error.message;
  };

  test('a request has to be a certificate request in PEM', async () => {
    expect(await invalid({ request: encode('hello') }, 'spec.request')).toContain(
      'spec.request: Invalid value: "aGVsbG8=": PEM block type must be CERTIFICATE REQUEST',
    );
    const { request } = await requestCertificate(jane);
    const renamed = request.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE');
    expect(await invalid({ request: encode(renamed) })).toContain('PEM block type must be');
    const garbage = request.replace(/\n[\s\S]*\n/, '\naGVsbG8=\n');
    expect(await invalid({ request: encode(garbage) }, 'spec.request')).toContain('asn1: ');
  });

  test('a request has to be signed with its own key', async () => {
    const { request } = await requestCertificate(jane);
    const [, body = ''] = /-\n([\s\S]*)\n-/.exec(request) ?? [];
    const bytes = Buffer.from(body, 'base64');
    bytes[bytes.length - 3] = (bytes.at(-3) ?? 0) ^ 1;
    const forged = request.replace(body, bytes.toString('base64'));
    expect(await invalid({ request: encode(forged) }, 'spec.request')).toContain(
      ': x509: ECDSA verification failure',
    );
  });

  test('a request needs usages, known and each once', async () => {
    expect(await invalid({ usages: [] }, 'spec.usages')).toContain('spec.usages: Required value');
    const message = await invalid({ usages: ['client auth', 'nonsense', 'client auth'] });
    expect(message).toContain(
      'spec.usages[1]: Unsupported value: "nonsense": supported values: "any"',
    );
    expect(message).toContain('spec.usages[2]: Duplicate value: "client auth"');
  });

  test.each([
    ['', 'Required value'],
    [
      'nodomain',
      'Invalid value: "nodomain": must be a fully qualified domain and path of the form \'example.com/signer-name\'',
    ],
    [
      'short/signer',
      'Invalid value: "short": should be a domain with at least two segments separated by dots',
    ],
    [
      'example.org/a_b',
      'Invalid value: "a_b": validating label "a_b": a lowercase RFC 1123 subdomain must consist of',
    ],
    [
      'EXAMPLE.org/a',
      'Invalid value: "EXAMPLE.org": validating label "EXAMPLE": a lowercase RFC 1123 label must consist of',
    ],
    [
      'kubernetes.io/legacy-unknown',
      'Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
  ])('a request cannot be for the signer "%s"', async (signerName, message) => {
    expect(await invalid({ signerName }, 'spec.signerName')).toContain(
      `spec.signerName: ${message}`,
    );
  });

  test('a certificate cannot be had for less than ten minutes', async () => {
    expect(await invalid({ expirationSeconds: 599 }, 'spec.expirationSeconds')).toContain(
      'Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    );
  });

  test('nobody becomes a master by a certificate', async () => {
    const { request } = await requestCertificate([{ O: ['system:masters'] }, { CN: ['eve'] }]);
    const message = await refusalOf(createRequest(subject().client, request));
    expect(message).toMatch(
      /^certificatesigningrequests\.certificates\.k8s\.io "csr-\w+" is forbidden: use of kubernetes\.io\/kube-apiserver-client signer with system:masters group is not allowed$/,
    );
  });

  test('a request does not change, except for its metadata', async () => {
    const { client } = subject();
    const made = await make(subject);
    const updated = await client.update(CertificateSigningRequest, {
      ...made,
      metadata: { ...made.metadata, labels: { color: 'red' } },
      spec: { ...made.spec, usages: ['server auth'], signerName: 'example.org/other' },
      status: { conditions: [approved] },
    });
    expect(updated.spec).toEqual(made.spec);
    expect(updated.status).toEqual({});
    expect(updated.metadata.labels).toEqual({ color: 'red' });
    expect(updated.metadata.generation).toBeUndefined();
  });

  test('requests are selected by their signer', async () => {
    const signerName = `example.org/${fresh('signer')}`;
    const made = await make(subject, { signerName });
    const { items } = await subject().client.list(CertificateSigningRequest, {
      fieldSelector: `spec.signerName=${signerName}`,
    });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([made.metadata.name]);
  });
}

function approval(subject: GetSubjectWithUsers): void {
  test('approval writes conditions, with their times, and nothing else of the request', async () => {
    const made = await make(subject, { signerName: 'example.org/nobody' });
    const spec = { ...made.spec, usages: ['server auth'] };
    const said = { ...approved, message: 'fine' };
    const answer = await putConditions(subject().client, made, [said], { spec });
    expect(answer.spec).toEqual(made.spec);
    expect(answer.status).toEqual({
      conditions: [
        { ...said, lastUpdateTime: expect.any(String), lastTransitionTime: expect.any(String) },
      ],
    });
  });

  test('approval takes the right to approve for the signer', async () => {
    const { client, name } = await makeClerk(subject);
    await using clerk = client;
    const made = await make(subject, { signerName: 'example.org/one' });
    expect(await refusalOf(approve(clerk, made))).toBe(
      `certificatesigningrequests.${group} "${made.metadata.name}" is forbidden: user not permitted to approve requests with signerName "example.org/one"`,
    );
    await grant(subject(), name, [
      {
        apiGroups: [group],
        resources: ['signers'],
        resourceNames: ['example.org/one'],
        verbs: ['approve'],
      },
    ]);
    await approve(clerk, made);
    const other = await make(subject, { signerName: 'example.org/two' });
    expect(await refusalOf(approve(clerk, other))).toContain('"example.org/two"');
  });

  test('the right to approve can be for all signers of a domain', async () => {
    const { client, name } = await makeClerk(subject);
    await using clerk = client;
    const resourceNames = ['example.org/*'];
    await grant(subject(), name, [
      { apiGroups: [group], resources: ['signers'], resourceNames, verbs: ['approve'] },
    ]);
    await approve(clerk, await make(subject, { signerName: 'example.org/one' }));
    const foreign = await make(subject, { signerName: 'example.com/one' });
    expect(await refusalOf(approve(clerk, foreign))).toContain('"example.com/one"');
  });

  const refused = async (made: SigningRequest, conditions: object[]) => {
    const error = await rejection(putConditions(subject().client, made, conditions as never));
    expect(error).toMatchObject({ code: 422 });
    return (error as Error).message.replace(/^.* is invalid: /, '');
  };

  test('an approval that makes no sense is invalid', async () => {
    const made = await make(subject, { signerName: 'example.org/one' });
    expect(await refused(made, [{ ...approved, status: 'False' }])).toBe(
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    );
    expect(await refused(made, [{ type: 'Approved' }, { type: '', status: 'True' }])).toBe(
      '[status.conditions[0].status: Required value, status.conditions[1].type: Required value]',
    );
    expect(await refused(made, [approved, approved])).toBe(
      'status.conditions[1].type: Duplicate value: "Approved"',
    );
    expect(await refused(made, [approved, { type: 'Denied', status: 'True' }])).toBe(
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    );
  });

  test('an approval cannot be taken back', async () => {
    const { request } = await requestCertificate(jane);
    const signerName = 'example.org/one';
    const made = await createApproved(subject().client, request, { signerName });
    expect(await refused(made, [])).toBe(
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    );
  });

  test('approval can be read and patched', async () => {
    const { client } = subject();
    const made = await make(subject, { signerName: 'example.org/one' });
    const { name } = made.metadata;
    const path = resourcePath(CertificateSigningRequest, { name, subresource: 'approval' });
    const read: SigningRequest = await client.rawJson(path);
    expect(read.spec).toEqual(made.spec);
    const { contentType, body } = mergePatch({
      status: { conditions: [{ ...approved, reason: 'Patched' }] },
    });
    const headers = { 'content-type': contentType };
    const response = await client.raw({
      method: 'PATCH',
      path,
      headers,
      body: JSON.stringify(body),
    });
    const patched: SigningRequest = JSON.parse(await response.text());
    expect(patched.status?.conditions).toMatchObject([{ type: 'Approved', reason: 'Patched' }]);
  });
}

function signatures(subject: GetSubjectWithUsers): void {
  const signerName = 'example.org/one';
  const anyCertificate = async () => {
    const { client } = subject();
    const ca: { data?: Record<string, string> } = await client.rawJson(
      '/api/v1/namespaces/default/configmaps/kube-root-ca.crt',
    );
    return encode(ca.data?.['ca.crt'] ?? '');
  };

  test('anybody with the right to sign for a signer is that signer', async () => {
    const { client, name } = await makeClerk(subject);
    await using clerk = client;
    const certificate = await anyCertificate();
    const { request } = await requestCertificate(jane);
    const made = await createApproved(subject().client, request, { signerName });
    const signed = { ...made, status: { ...made.status, certificate } };
    expect(await refusalOf(clerk.updateStatus(CertificateSigningRequest, signed))).toBe(
      `certificatesigningrequests.${group} "${made.metadata.name}" is forbidden: user not permitted to sign requests with signerName "example.org/one"`,
    );
    const resourceNames = [signerName];
    await grant(subject(), name, [
      { apiGroups: [group], resources: ['signers'], resourceNames, verbs: ['sign'] },
    ]);
    const updated = await clerk.updateStatus(CertificateSigningRequest, signed);
    expect(updated.status).toEqual({ certificate, conditions: made.status?.conditions });
    const { subject: owner } = new X509Certificate(
      Buffer.from(updated.status?.certificate ?? '', 'base64'),
    );
    expect(owner).toContain('CN=kubernetes');
  });

  test('whoever writes the status cannot approve by it, nor replace a certificate', async () => {
    const { client } = subject();
    const certificate = await anyCertificate();
    const made = await make(subject, { signerName });
    const refused = async (request: SigningRequest, status: object) => {
      const change = client.updateStatus(CertificateSigningRequest, { ...request, status });
      return ((await rejection(change)) as Error).message.replace(/^.* is invalid: /, '');
    };
    expect(await refused(made, { conditions: [approved] })).toBe(
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    );
    expect(await refused(made, { certificate: encode('hello') })).toBe(
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    );
    const signed = await client.updateStatus(CertificateSigningRequest, {
      ...made,
      status: { certificate },
    });
    expect(await refused(signed, {})).toBe(
      'status.certificate: Forbidden: updates may not modify existing certificate content',
    );
  });

  test('the status keeps an approval as it was said', async () => {
    const { client } = subject();
    const { request } = await requestCertificate(jane);
    const made = await createApproved(client, request, { signerName });
    const conditions = [
      { ...approved, reason: 'Rewritten' },
      { type: 'Seen', status: 'True' },
    ];
    const updated = await client.updateStatus(CertificateSigningRequest, {
      ...made,
      status: { conditions },
    });
    expect(updated.status?.conditions).toMatchObject([{ reason: 'Tested' }, { type: 'Seen' }]);
  });
}
