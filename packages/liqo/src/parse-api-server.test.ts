import { generateKeyPairSync } from 'node:crypto';
import { forgeSelfSigned } from '@liqo/kube/x509';
import { expect, test } from 'vitest';
import { parseApiServer } from './parse-api-server.ts';

const parse = (address: string, ca = '') =>
  parseApiServer('controller-manager', {
    'api-server-address-override': address,
    'ca-override': ca,
    'trusted-ca': false,
  });

test.each([
  '',
  'https://milan.example:6443',
  'https://10.0.0.1',
  'milan.example:6443',
  '[fd00::1]:6443',
])('parseApiServer() takes the address %j', (address) =>
  expect(parse(address)).toEqual({ address, ca: '', isTrusted: false }),
);

test.each([
  'http://milan.example',
  'https://',
  'https://milan/path',
  'https://a@milan',
  'a b',
  'ftp://x',
])('parseApiServer() refuses the address %j', (address) =>
  expect(() => parse(address)).toThrow('is not of the form https://host:port'),
);

test('parseApiServer() decodes the authority, and refuses what is no certificate', () => {
  const key = generateKeyPairSync('ed25519').privateKey;
  const subject = { commonName: 'milan', organization: 'test' };
  const pem = forgeSelfSigned({ subject, key, addresses: [], notBeforeMs: 0, notAfterMs: 1e12 });
  expect(parse('', Buffer.from(pem).toString('base64')).ca).toBe(pem);
  for (const text of [pem, 'YWJj', '!']) {
    expect(() => parse('', text)).toThrow('"--ca-override" is not the base64 of PEM certificates');
  }
});
