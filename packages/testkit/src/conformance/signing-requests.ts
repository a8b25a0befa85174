import 'reflect-metadata';
import { type KeyObject, KeyObject as KeyObjects, webcrypto } from 'node:crypto';
import { CertificateSigningRequest, type Client, resourcePath, type Stored } from '@liqo/kube';
import {
  type JsonGeneralName,
  type JsonName,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { fresh } from './rights.ts';

export type SigningRequest = Stored<CertificateSigningRequest>;
type Spec = CertificateSigningRequest['spec'];
export type Condition = NonNullable<NonNullable<SigningRequest['status']>['conditions']>[number];

export const clientSigner = 'kubernetes.io/kube-apiserver-client';
export const servingSigner = 'kubernetes.io/kubelet-serving';

/** A request and the key it was made with, both as PEM. */
export interface Requested {
  readonly request: string;
  readonly privateKey: string;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A PKCS #10 request, made by a library that the server's author has not written. */
export async function requestCertificate(
  subject: JsonName,
  names: readonly JsonGeneralName[] = [],
): Promise<Requested> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: algorithm,
    extensions: names.length > 0 ? [new SubjectAlternativeNameExtension([...names])] : [],
  });
  const key: KeyObject = KeyObjects.from(keys.privateKey);
  const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { request: request.toString('pem'), privateKey };
}

export const jane: JsonName = [{ O: ['team-a'] }, { O: ['team-b'] }, { CN: ['jane'] }];
export const kubelet: JsonName = [{ O: ['system:nodes'] }, { CN: ['system:node:one'] }];
export const kubeletNames: readonly JsonGeneralName[] = [
  { type: 'dns', value: 'one' },
  { type: 'ip', value: '10.0.0.1' },
];

/** The object that asks for it; by default for a client. */
export function createRequest(
  client: Client,
  pem: string,
  spec: Partial<Spec> = {},
): Promise<SigningRequest> {
  return client.create(CertificateSigningRequest, {
    metadata: { name: fresh('csr') },
    spec: { request: encode(pem), signerName: clientSigner, usages: ['client auth'], ...spec },
  });
}

/** The same as somebody who approves of it at once. */
export async function createApproved(
  client: Client,
  pem: string,
  spec: Partial<Spec> = {},
): Promise<SigningRequest> {
  return approve(client, await createRequest(client, pem, spec));
}

export const approved: Condition = { type: 'Approved', status: 'True', reason: 'Tested' };

export function approve(client: Client, request: SigningRequest): Promise<SigningRequest> {
  return putConditions(client, request, [...(request.status?.conditions ?? []), approved]);
}

/** Through the `approval` subresource. */
export async function putConditions(
  client: Client,
  request: SigningRequest,
  conditions: Condition[],
  more: Partial<CertificateSigningRequest> = {},
): Promise<SigningRequest> {
  const { name } = request.metadata;
  const status = { ...request.status, conditions };
  const response = await client.raw({
    method: 'PUT',
    path: resourcePath(CertificateSigningRequest, { name, subresource: 'approval' }),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, status, ...more }),
  });
  return JSON.parse(await response.text());
}

/** The certificate, as PEM, as soon as it was issued. */
export function untilSigned(client: Client, { metadata }: SigningRequest): Promise<string> {
  return eventually(async () => {
    const current = await client.get(CertificateSigningRequest, { name: metadata.name });
    expect(current?.status?.certificate).toBeDefined();
    return Buffer.from(current?.status?.certificate ?? '', 'base64').toString();
  });
}

/** The condition that says why there will be no certificate. */
export function untilFailed(client: Client, { metadata }: SigningRequest): Promise<Condition> {
  return eventually(async () => {
    const current = await client.get(CertificateSigningRequest, { name: metadata.name });
    const failed = current?.status?.conditions?.find(({ type }) => type === 'Failed');
    if (!failed) throw new Error('The request has not failed');
    return failed;
  });
}

export function encode(text: string): string {
  return Buffer.from(text).toString('base64');
}
