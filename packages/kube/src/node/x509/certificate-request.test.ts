import 'reflect-metadata';
import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ChallengePasswordAttribute,
  type Extension,
  type JsonName,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { describe, expect, onTestFinished, test } from 'vitest';
import { forgeCertificateRequest } from './forge-certificate-request.ts';
import { readCertificateRequest } from './read-certificate-request.ts';

const subject = { commonName: 'rome', organization: 'liqo.io' };
const keys = {
  Ed25519: generateKeyPairSync('ed25519').privateKey,
  'RSA-2048': generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
};
const cases = Object.entries(keys);
const publicKeyOf = (key: KeyObject) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' });
const addresses = ['10.0.0.7', 'fd00::7', '::ffff:10.0.0.7'];

describe('forgeCertificateRequest()', () => {
  test.each(cases)('forges a request with a key of type %s that openssl verifies', (_, key) => {
    const request = forgeCertificateRequest({ subject, key, addresses });
    const args = ['req', '-verify', '-noout', '-subject', '-nameopt', 'RFC2253'];
    const printed = execFileSync('openssl', args, { input: request, stdio: 'pipe' }).toString();
    expect(printed).toContain('CN=rome,O=liqo.io');
  });

  test.each(cases)(
    'forges a request with a key of type %s that @peculiar/x509 reads',
    async (_, key) => {
      const pem = forgeCertificateRequest({ subject, key, addresses: addresses.slice(0, 2) });
      const request = new Pkcs10CertificateRequest(pem);
      expect(request.subjectName.toJSON()).toEqual([{ O: ['liqo.io'] }, { CN: ['rome'] }]);
      expect(await request.verify()).toBe(true);
      expect(Buffer.from(request.publicKey.rawData)).toEqual(publicKeyOf(key));
      const names = request.extensions.flatMap((extension) =>
        extension instanceof SubjectAlternativeNameExtension ? extension.names.toJSON() : [],
      );
      expect(names.map(({ value }) => value)).toEqual(['10.0.0.7', 'fd00::7']);
    },
  );

  test.each(['Ed25519', 'RSA-2048'] as const)('gives the same text for the same %s key', (type) => {
    const parts = { subject, key: keys[type] };
    expect(forgeCertificateRequest(parts)).toBe(forgeCertificateRequest(parts));
  });

  /** Sizes of the requests that Liqo v1.2 writes. */
  test.each([
    [{ commonName: 'rome', organization: 'liqo.io' }, 294],
    [{ commonName: 'milan-a8a4c692b93b', organization: 'rome' }, 306],
    [{ commonName: 'mypool-a8a4c692b93b', organization: 'rome' }, 310],
  ])('encodes %j in as many bytes as Liqo', (name, bytes) => {
    const request = forgeCertificateRequest({ subject: name, key: keys.Ed25519 });
    expect(request).toHaveLength(bytes);
    expect(request).toMatch(/-----END CERTIFICATE REQUEST-----\n$/);
  });

  test('refuses an address that is none', () => {
    const parts = { subject, key: keys.Ed25519, addresses: ['nowhere'] };
    expect(() => forgeCertificateRequest(parts)).toThrow('"nowhere" is no IP address');
  });
});

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

async function forgeElsewhere(name: JsonName, extensions: Extension[] = [], more = {}) {
  const pair = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys: pair,
    signingAlgorithm: algorithm,
    extensions,
    ...more,
  });
  return { pem: request.toString('pem'), publicKey: Buffer.from(request.publicKey.rawData) };
}

describe('readCertificateRequest()', () => {
  test.each(cases)('reads what was forged with a key of type %s', (_, key) => {
    expect(readCertificateRequest(forgeCertificateRequest({ subject, key, addresses }))).toEqual({
      subject: [['O=liqo.io'], ['CN=rome']],
      ipAddresses: ['10.0.0.7', 'fd00::7', '::ffff:a00:7'],
      otherNames: [],
      extras: [],
      publicKey: new Uint8Array(publicKeyOf(key)),
      hasValidSignature: true,
    });
  });

  test('reads what @peculiar/x509 forges', async () => {
    const names = new SubjectAlternativeNameExtension([
      { type: 'ip', value: '10.0.0.7' },
      { type: 'dns', value: 'example.org' },
      { type: 'email', value: 'a@example.org' },
      { type: 'url', value: 'https://example.org' },
    ]);
    const { pem, publicKey } = await forgeElsewhere(
      [{ O: ['a', 'b'], OU: ['c'] }, { CN: ['Zürich'] }, { '1.2.3.4': ['e'] }],
      [names, new BasicConstraintsExtension(true)],
      { attributes: [new ChallengePasswordAttribute('x')] },
    );
    expect(readCertificateRequest(pem)).toEqual({
      subject: [['O=a', 'O=b', 'OU=c'], ['CN=Zürich'], ['1.2.3.4=e']],
      ipAddresses: ['10.0.0.7'],
      otherNames: ['dns:example.org', 'email:a@example.org', 'url:https://example.org'],
      extras: ['2.5.29.19', '1.2.840.113549.1.9.7'],
      publicKey: new Uint8Array(publicKey),
      hasValidSignature: true,
    });
  });

  test('reads what openssl forges, string types of every kind included', () => {
    const folder = mkdtempSync(join(tmpdir(), 'liqo-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [keyFile, configFile] = [join(folder, 'key.pem'), join(folder, 'req.cnf')];
    writeFileSync(keyFile, keys['RSA-2048'].export({ format: 'pem', type: 'pkcs8' }));
    const forge = (mask: string) => {
      writeFileSync(configFile, `[req]\ndistinguished_name=dn\nstring_mask=${mask}\n[dn]\n`);
      const args = ['req', '-new', '-key', keyFile, '-config', configFile];
      return execFileSync('openssl', [...args, '-subj', '/O=liqo.io/CN=r_me']).toString();
    };
    expect(readCertificateRequest(forge('utf8only'))?.subject.at(0)).toEqual(['O=liqo.io']);
    const legacy = readCertificateRequest(forge('MASK:0x4'));
    expect(legacy?.hasValidSignature).toBe(true);
    expect(legacy?.subject.at(-1)?.at(0)).toMatch(/^CN=#14/);
  });

  test('tells a request that is signed with another key', () => {
    const one = forgeCertificateRequest({ subject, key: keys.Ed25519 });
    const other = forgeCertificateRequest({
      subject,
      key: generateKeyPairSync('ed25519').privateKey,
    });
    const bytes = (pem: string) => Buffer.from(pem.replaceAll(/-.*-|\n/g, ''), 'base64');
    const mixed = Buffer.concat([bytes(one).subarray(0, -64), bytes(other).subarray(-64)]);
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${mixed.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(readCertificateRequest(pem)).toMatchObject({ hasValidSignature: false });
  });

  const good = forgeCertificateRequest({ subject, key: keys.Ed25519 });
  test.each([
    ['nothing', ''],
    ['text', 'x'],
    ['two blocks', good + good],
    ['text before the block', `x\n${good}`],
    ['text after the block', `${good}x`],
    ['another type', good.replaceAll('REQUEST', 'X')],
    ['a header', good.replace('REQUEST-----\n', 'REQUEST-----\nA: b\n\n')],
    ['broken base64', good.replace('\nM', '\n=')],
    ['base64 with spare bits', good.replace(/.==\n/, (end) => `${next(end)}==\n`)],
    [
      'more bytes than any request has',
      good.replace('\n-----END', `\n${'A'.repeat(20_000)}\n-----END`),
    ],
    ['no DER', good.replace('\nMIG', '\nAAA')],
  ])('reads nothing from %s', (_, pem) => {
    expect(readCertificateRequest(good)).toBeDefined();
    expect(readCertificateRequest(pem)).toBeUndefined();
  });

  /** Of the last character of base64 that is followed by `==`, four bits are not used. */
  function next(end: string): string {
    return String.fromCharCode(end.charCodeAt(0) + 1);
  }

  test('reads nothing from BER that is not DER', () => {
    const der = Buffer.from(good.replaceAll(/-.*-|\n/g, ''), 'base64');
    expect(der.subarray(0, 3).toString('hex')).toBe('3081a0');
    const long = Buffer.concat([Buffer.from('308200a0', 'hex'), der.subarray(3)]);
    const indefinite = Buffer.concat([
      Buffer.from('3080', 'hex'),
      der.subarray(3),
      Buffer.of(0, 0),
    ]);
    for (const bytes of [long, indefinite, Buffer.concat([der, Buffer.of(5, 0)])]) {
      const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${bytes.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
      expect(readCertificateRequest(pem)).toBeUndefined();
    }
  });
});
