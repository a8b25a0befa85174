import { expect, test } from 'vitest';
import type { AuthParams } from './forge-identity.ts';
import {
  type ClientCertificate,
  type CredentialFacts,
  judgeAuthParams,
  longestParams,
  refuseRemoteNamespace,
} from './judge-auth-params.ts';
import { controlPlaneSubject } from './subjects.ts';

const good: AuthParams = { apiServer: 'https://milan.example:6443', ca: 'Q0E=', signedCRT: 'Q1JU' };
const certificate: ClientCertificate = {
  subject: ['O=liqo.io', 'CN=rome'],
  isOfOurKey: true,
  notBeforeMs: 0,
  notAfterMs: 1,
};
const aws = {
  awsUserArn: 'a',
  awsAccessKeyID: 'b',
  awsSecretAccessKey: 'c',
  awsRegion: 'd',
  awsClusterName: 'e',
};

function judge(
  params: AuthParams | undefined,
  facts: Partial<CredentialFacts> = {},
  reservedAddresses: 'allowed' | 'forbidden' = 'forbidden',
) {
  const all = { params, certificate, isAuthorityReadable: true, ...facts };
  return judgeAuthParams(all, { subject: controlPlaneSubject('rome'), reservedAddresses });
}

test.each<[string, AuthParams]>([
  ['an address by name', good],
  ['an address by IP', { ...good, apiServer: 'https://10.0.0.1:6443' }],
  ['a path', { ...good, apiServer: 'https://milan.example/k8s/clusters/1' }],
  ['an IPv6 address', { ...good, apiServer: 'https://[2001:db8::1]:6443' }],
  ['no authority', { apiServer: good.apiServer ?? '', signedCRT: 'Q1JU' }],
  ['a proxy', { ...good, proxyURL: 'http://10.70.0.5:8118' }],
])('judgeAuthParams() takes credentials with %s', (_, params) => {
  expect(judge(params)).toBeUndefined();
});

test.each<[string, AuthParams | undefined, string]>([
  ['nothing', undefined, 'AuthParamsMissing'],
  ['an empty object', {}, 'AuthParamsMissing'],
  ['AWS credentials', { awsConfig: aws }, 'AwsNotSupported'],
  ['AWS credentials beside a certificate', { ...good, awsConfig: aws }, 'AwsNotSupported'],
  ['no address', { signedCRT: 'Q1JU' }, 'InvalidApiServer'],
  ['plain HTTP', { ...good, apiServer: 'http://milan.example' }, 'InvalidApiServer'],
  ['a file', { ...good, apiServer: 'file:///etc/passwd' }, 'InvalidApiServer'],
  ['no URL', { ...good, apiServer: 'milan' }, 'InvalidApiServer'],
  ['a line break in the address', { ...good, apiServer: 'https://a\n- b' }, 'InvalidApiServer'],
  ['a password', { ...good, apiServer: 'https://a:b@milan' }, 'InvalidApiServer'],
  ['loopback', { ...good, apiServer: 'https://127.0.0.1' }, 'InvalidApiServer'],
  ['loopback in decimal', { ...good, apiServer: 'https://2130706433' }, 'InvalidApiServer'],
  ['loopback in IPv6', { ...good, apiServer: 'https://[::ffff:127.0.0.1]' }, 'InvalidApiServer'],
  ['localhost', { ...good, apiServer: 'https://localhost:6443' }, 'InvalidApiServer'],
  ['a metadata service', { ...good, apiServer: 'https://169.254.169.254' }, 'InvalidApiServer'],
  ['a SOCKS proxy', { ...good, proxyURL: 'socks5://a' }, 'InvalidProxy'],
  ['a proxy on loopback', { ...good, proxyURL: 'http://[::1]:8118' }, 'InvalidProxy'],
  ['a long address', { ...good, apiServer: `https://${'a'.repeat(2048)}` }, 'AuthParamsTooLarge'],
  ['a long bundle', { ...good, ca: 'A'.repeat(longestParams.ca + 1) }, 'AuthParamsTooLarge'],
])('judgeAuthParams() refuses %s', (_, params, reason) => {
  expect(judge(params)?.reason).toBe(reason);
});

test.each<[string, Partial<CredentialFacts>, string]>([
  ['a bundle that cannot be read', { isAuthorityReadable: false }, 'InvalidAuthority'],
  ['a certificate that cannot be read', { certificate: undefined }, 'InvalidCertificate'],
  [
    'a certificate of another key',
    { certificate: { ...certificate, isOfOurKey: false } },
    'OtherKey',
  ],
  ...[
    ['O=liqo.io', 'CN=turin'],
    ['O=liqo.io', 'O=turin', 'CN=rome'],
    ['O=system:masters', 'CN=rome'],
    ['CN=rome'],
    [],
  ].map((subject): [string, Partial<CredentialFacts>, string] => [
    `the subject ${subject.join(',')}`,
    { certificate: { ...certificate, subject } },
    'OtherSubject',
  ]),
])('judgeAuthParams() refuses %s', (_, facts, reason) => {
  expect(judge(good, facts)?.reason).toBe(reason);
});

test('judgeAuthParams() takes loopback where peers on one machine are allowed', () => {
  expect(judge({ ...good, apiServer: 'https://127.0.0.1:16442' }, {}, 'allowed')).toBeUndefined();
});

test('judgeAuthParams() quotes no password of a proxy', () => {
  const found = judge({ ...good, proxyURL: 'http://user:secret@127.0.0.1' });
  expect(found?.message).not.toContain('secret');
});

test('judgeAuthParams() bounds what it quotes of a certificate', () => {
  const subject = [`CN=${'\u001b[31m'.repeat(500)}`];
  const found = judge(good, { certificate: { ...certificate, subject } });
  expect(found?.message.length).toBeLessThan(1_100);
  expect(found?.message).not.toContain('\u001b');
});

test.each([
  [undefined, true],
  ['', true],
  ['Liqo', true],
  ['liqo-tenant-rome', false],
])('refuseRemoteNamespace() judges %j', (namespace, isRefused) => {
  expect(refuseRemoteNamespace(namespace) !== undefined).toBe(isRefused);
});
