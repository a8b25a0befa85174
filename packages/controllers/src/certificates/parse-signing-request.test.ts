import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ChallengePasswordAttribute,
  type JsonGeneralNames,
  type JsonName,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { expect, test } from 'vitest';
import { parseSigningRequest } from './parse-signing-request.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const subject: JsonName = [{ O: ['system:nodes'] }, { CN: ['system:node:mynode'] }];

async function forge(
  name: JsonName,
  names: JsonGeneralNames = [],
  more: object = {},
): Promise<string> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const extensions = names.length > 0 ? [new SubjectAlternativeNameExtension(names)] : [];
  const request = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
    extensions,
    ...more,
  });
  return `${request.toString('pem')}\n`;
}

const parse = (pem: string) => parseSigningRequest(Buffer.from(pem).toString('base64'));

test('parseSigningRequest() reads the subject and the addresses, as Kubernetes writes them', async () => {
  const pem = await forge(subject, [
    { type: 'ip', value: '10.0.0.7' },
    { type: 'ip', value: 'fd00:0:0:0:0:0:0:7' },
  ]);
  expect(parse(pem)).toMatchObject({
    subject: [['O=system:nodes'], ['CN=system:node:mynode']],
    ipAddresses: ['10.0.0.7', 'fd00::7'],
    otherNames: [],
    extras: [],
  });
});

test('parseSigningRequest() reads every attribute of every relative name', async () => {
  const pem = await forge([{ O: ['a', 'b'], OU: ['c'] }, { CN: ['d'] }, { '1.2.3.4': ['e'] }]);
  expect(parse(pem)?.subject).toEqual([['O=a', 'O=b', 'OU=c'], ['CN=d'], ['1.2.3.4=e']]);
});

test('parseSigningRequest() tells of names that are no addresses', async () => {
  const pem = await forge(subject, [
    { type: 'dns', value: 'example.org' },
    { type: 'email', value: 'a@example.org' },
    { type: 'url', value: 'https://example.org' },
  ]);
  expect(parse(pem)).toMatchObject({
    ipAddresses: [],
    otherNames: ['dns:example.org', 'email:a@example.org', 'url:https://example.org'],
  });
});

test('parseSigningRequest() tells of extensions and attributes', async () => {
  const pem = await forge(subject, [], {
    extensions: [new BasicConstraintsExtension(true)],
    attributes: [new ChallengePasswordAttribute('x')],
  });
  expect(parse(pem)?.extras).toEqual(['2.5.29.19', '1.2.840.113549.1.9.7']);
});

test('parseSigningRequest() reads nothing when there is more than one request, or anything around it', async () => {
  const [one, two] = [await forge(subject), await forge([{ CN: ['root'] }])];
  expect(parse(one)).toBeDefined();
  for (const text of [one + two, `x\n${one}`, `${one}x`, one.replace('REQUEST', 'X'), '', 'x']) {
    expect(parse(text)).toBeUndefined();
  }
  expect(parse(one.replace(/\n[A-Za-z0-9+/]{10}/, '\nAAAAAAAAAA'))).toBeUndefined();
});
