import { X509Certificate } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { forgeGeneration } from './forge-generation.ts';
import type { Generation } from './generation.ts';
import { printGenerations, readGenerations } from './generation-secret.ts';

const dnsNames = ['liqo-webhook.liqo.svc', 'liqo-webhook.liqo.svc.cluster.local'];
const nowMs = Date.UTC(2030, 0, 1, 0, 0, 0, 7);
let newest: Generation;
let previous: Generation;

beforeAll(async () => {
  newest = await forgeGeneration(dnsNames, nowMs);
  previous = await forgeGeneration(dnsNames, nowMs - 3600_000);
});

const read = (data: Record<string, string>) => readGenerations({ data }, dnsNames);

test('a Secret has what was printed into it', () => {
  expect(read(printGenerations([newest, previous]))).toEqual([newest, previous]);
  expect(read(printGenerations([newest]))).toEqual([newest]);
});

test('forgeGeneration() has the certificate signed by an authority whose key is not kept', () => {
  const authority = new X509Certificate(newest.authority);
  const certificate = new X509Certificate(newest.certificate);
  expect(certificate.checkIssued(authority)).toBe(true);
  expect(certificate.ca).toBe(false);
  expect(JSON.stringify(newest).match(/PRIVATE KEY-----/g)).toHaveLength(2);
  expect(authority.publicKey.equals(certificate.publicKey)).toBe(false);
});

test('forgeGeneration() gives each authority a name of its own', () => {
  const [one, other] = [newest, previous].map(({ authority }) => new X509Certificate(authority));
  expect(one?.subject).not.toBe(other?.subject);
});

test.each<[string, (data: Record<string, string>) => Record<string, string>]>([
  ['nothing', () => ({})],
  ['no key', ({ 'tls.key': _, ...rest }) => rest],
  ['text that is no PEM', (data) => ({ ...data, 'tls.crt': 'bm8=' })],
  ['text that is no Base64', (data) => ({ ...data, ca: '%' })],
  ['the key of another certificate', (data) => ({ ...data, 'tls.key': keyOf(previous) })],
  ['the authority of another certificate', (data) => ({ ...data, ca: encode(previous.authority) })],
  ['a certificate as its own authority', (data) => ({ ...data, ca: data['tls.crt'] ?? '' })],
])('readGenerations() finds none in a Secret with %s', (_, spoil) => {
  expect(read(spoil(printGenerations([newest])))).toEqual([]);
});

test('readGenerations() passes over a certificate for other names', async () => {
  const foreign = await forgeGeneration(['another.liqo.svc'], nowMs);
  expect(read(printGenerations([foreign, previous]))).toEqual([previous]);
});

function keyOf({ privateKey }: Generation): string {
  return encode(privateKey);
}

function encode(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
