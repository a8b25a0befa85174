import { expect, test } from 'vitest';
import { CertificateRequestError, parseCertificateRequest } from './certificate-request.ts';
import vectors from './certificate-requests.vectors.json' with { type: 'json' };
import { commonNameOf, organizationsOf } from './distinguished-name.ts';
import { printPem, readPem } from './pem.ts';

/** Made with OpenSSL 3.0. */
const requests = Object.entries(vectors);

test.each(requests)('parseCertificateRequest() reads a request with a key of %s', (_, pem) => {
  const request = parseCertificateRequest(pem);
  expect(commonNameOf(request.subject)).toBe('jane');
  expect(organizationsOf(request.subject)).toEqual(['team-a', 'team-b']);
  expect(request.alternativeNames).toEqual({
    dns: ['one.example.org'],
    addresses: [Buffer.of(10, 0, 0, 1), Buffer.from('fd000000000000000000000000000001', 'hex')],
    emails: ['jane@example.org'],
    uris: ['https://example.org'],
  });
});

test.each(requests)(
  'parseCertificateRequest() refuses a request with a key of %s that was changed after it was signed',
  (_, pem) => {
    const [block] = readPem(pem);
    const bytes = Buffer.from(block?.bytes ?? []);
    bytes[bytes.indexOf('jane')] = 'J'.charCodeAt(0);
    const forged = printPem('CERTIFICATE REQUEST', bytes);
    expect(() => parseCertificateRequest(forged)).toThrow(/verification (failure|error)$/);
  },
);

test.each([
  ['', 'PEM block type must be CERTIFICATE REQUEST'],
  ['hello', 'PEM block type must be CERTIFICATE REQUEST'],
  [printPem('CERTIFICATE', Buffer.of(0x30, 0)), 'PEM block type must be CERTIFICATE REQUEST'],
  [printPem('CERTIFICATE REQUEST', Buffer.from('hello')), 'asn1: syntax error: data truncated'],
  [printPem('CERTIFICATE REQUEST', Buffer.of(0x30, 0)), "asn1: structure error: tags don't match"],
])('parseCertificateRequest() refuses %j', (pem, message) => {
  expect(() => parseCertificateRequest(pem)).toThrow(new CertificateRequestError(message));
});
