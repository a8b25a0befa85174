import { X509Certificate } from 'node:crypto';
import { CertificateSigningRequest, isForbidden } from '@liqo/kube';
import type { JsonName } from '@peculiar/x509';
import { expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { fresh, whoAmI } from './rights.ts';
import {
  clientSigner,
  createApproved,
  createRequest,
  jane,
  kubelet,
  kubeletNames,
  putConditions,
  requestCertificate,
  servingSigner,
  untilFailed,
  untilSigned,
} from './signing-requests.ts';
import type { GetSubjectWithUsers } from './subject.ts';

const clientAuth = '1.3.6.1.5.5.7.3.2';
const serverAuth = '1.3.6.1.5.5.7.3.1';
const dayMs = 24 * 3600 * 1000;

/** What the signers of the cluster do with what was approved. */
export function certificateSigning(subject: GetSubjectWithUsers): void {
  clients(subject);
  kubelets(subject);
  others(subject);
}

function clients(subject: GetSubjectWithUsers): void {
  test('an approved client gets a certificate, and is let in with it', async () => {
    const { client } = subject();
    const { request, privateKey } = await requestCertificate(jane);
    const usages = ['client auth', 'digital signature'];
    const made = await createApproved(client, request, { usages });
    const certificate = await untilSigned(client, made);
    await using user = await subject().as({ certificate, privateKey });
    const { username, groups = [] } = await whoAmI(user);
    expect(username).toBe('jane');
    expect(groups.toSorted()).toEqual(['system:authenticated', 'team-a', 'team-b']);
    const refusal = await rejection(user.list(CertificateSigningRequest));
    expect(isForbidden(refusal)).toBe(true);
  });

  test('a certificate is for clients, from the authority of the cluster, and for nothing else', async () => {
    const { client } = subject();
    const { request } = await requestCertificate(jane);
    const made = await createApproved(client, request);
    const certificate = new X509Certificate(await untilSigned(client, made));
    expect(certificate.issuer).toBe('CN=kubernetes');
    expect(certificate.ca).toBe(false);
    expect(certificate.keyUsage).toEqual([clientAuth]);
    expect(certificate.subjectAltName).toBeUndefined();
  });

  test('a certificate lasts as long as it was asked for, from five minutes ago', async () => {
    const { client } = subject();
    const { request } = await requestCertificate(jane);
    const made = await createApproved(client, request, { expirationSeconds: 3600 });
    const { validFrom, validTo } = new X509Certificate(await untilSigned(client, made));
    expect(Date.parse(validTo) - Date.parse(validFrom)).toBe(65 * 60 * 1000);
  });

  test.each([undefined, 10 * 365 * 24 * 3600])(
    'a certificate lasts a year when %d seconds were asked for',
    async (expirationSeconds) => {
      const { client } = subject();
      const { request } = await requestCertificate(jane);
      const spec = expirationSeconds === undefined ? {} : { expirationSeconds };
      const made = await createApproved(client, request, spec);
      const { validFrom, validTo } = new X509Certificate(await untilSigned(client, made));
      const days = (Date.parse(validTo) - Date.parse(validFrom)) / dayMs;
      expect(days).toBeGreaterThan(364.9);
      expect(days).toBeLessThanOrEqual(365);
    },
  );

  test.each([
    [['server auth'], 'invalid usage for client certificate: server auth'],
    [['digital signature'], 'missing required usage for client certificate: client auth'],
  ])('a client cannot have %j', async (usages, message) => {
    const { client } = subject();
    const { request } = await requestCertificate(jane);
    const made = await createApproved(client, request, { usages });
    expect(await untilFailed(client, made)).toEqual({
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message,
      lastUpdateTime: expect.any(String),
      lastTransitionTime: expect.any(String),
    });
  });
}

function kubelets(subject: GetSubjectWithUsers): void {
  const serving = { signerName: servingSigner, usages: ['digital signature', 'server auth'] };

  test.each([
    [['digital signature', 'server auth']],
    [['server auth', 'key encipherment', 'digital signature']],
  ])('a kubelet gets a certificate for serving with %j', async (usages) => {
    const { client } = subject();
    const { request } = await requestCertificate(kubelet, kubeletNames);
    const made = await createApproved(client, request, { ...serving, usages });
    const certificate = new X509Certificate(await untilSigned(client, made));
    expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:one');
    expect(certificate.subjectAltName).toBe('DNS:one, IP Address:10.0.0.1');
    expect(certificate.keyUsage).toEqual([serverAuth]);
  });

  const name = (organization: string, common: string): JsonName => [
    { O: [organization] },
    { CN: [common] },
  ];
  test.each([
    [name('nodes', 'system:node:one'), kubeletNames, 'subject organization is not system:nodes'],
    [
      [{ O: ['system:nodes'] }, { O: ['more'] }, { CN: ['system:node:one'] }],
      kubeletNames,
      'subject organization is not system:nodes',
    ],
    [kubelet, [], 'DNS or IP subjectAltName is required'],
    [
      kubelet,
      [...kubeletNames, { type: 'email' as const, value: 'a@example.org' }],
      'Email subjectAltNames are not allowed',
    ],
    [
      kubelet,
      [...kubeletNames, { type: 'url' as const, value: 'https://example.org' }],
      'URI subjectAltNames are not allowed',
    ],
    [
      name('system:nodes', 'one'),
      kubeletNames,
      'subject common name does not begin with system:node:',
    ],
  ])('%j is no kubelet with the names %j', async (owner, names, message) => {
    const { client } = subject();
    const { request } = await requestCertificate(owner, names);
    const made = await createApproved(client, request, serving);
    expect(await untilFailed(client, made)).toMatchObject({ message });
  });

  test('a kubelet does not serve with the usages of a client', async () => {
    const { client } = subject();
    const { request } = await requestCertificate(kubelet, kubeletNames);
    const usages = ['digital signature', 'client auth'];
    const made = await createApproved(client, request, { ...serving, usages });
    expect(await untilFailed(client, made)).toMatchObject({
      message: 'usages did not match [digital signature key encipherment server auth]',
    });
  });
}

function others(subject: GetSubjectWithUsers): void {
  test('what was denied, not yet approved, or is for another signer stays unsigned', async () => {
    const { client } = subject();
    const { request } = await requestCertificate(jane);
    const denied = await createRequest(client, request);
    const reason = 'No';
    await putConditions(client, denied, [{ type: 'Denied', status: 'True', reason }]);
    const foreign = await createApproved(client, request, {
      signerName: `example.org/${fresh('signer')}`,
    });
    const waiting = await createRequest(client, request, { signerName: clientSigner });
    const last = await createApproved(client, request);
    await untilSigned(client, last);
    for (const { metadata } of [denied, foreign, waiting]) {
      const current = await client.get(CertificateSigningRequest, { name: metadata.name });
      expect(current?.status?.certificate).toBeUndefined();
    }
  });
}
