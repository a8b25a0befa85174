import { expect, test } from 'vitest';
import { alternativeNamesOf, noAlternativeNames } from './alternative-names.ts';
import { nameOf } from './distinguished-name.ts';
import { signers, splitUsages } from './signers.ts';

const publicKeyInfo = Buffer.alloc(0);
const kubelet = {
  subject: nameOf('system:node:one', ['system:nodes']),
  alternativeNames: alternativeNamesOf(['one', '10.0.0.1']),
  publicKeyInfo,
};
const serving = ['digital signature', 'server auth'];
const faultOf = (signer: string, request: typeof kubelet, usages: readonly string[]) =>
  signers.get(`kubernetes.io/${signer}`)?.(request, usages);

test.each([
  [['client auth'], undefined],
  [['digital signature', 'key encipherment', 'client auth'], undefined],
  [['client auth', 'server auth'], 'invalid usage for client certificate: server auth'],
  [['key encipherment'], 'missing required usage for client certificate: client auth'],
])('the signer of clients says of %j: %s', (usages, fault) => {
  expect(faultOf('kube-apiserver-client', kubelet, usages)).toBe(fault);
});

test.each([
  ['a kubelet', kubelet, serving, undefined],
  ['one with an RSA key', kubelet, [...serving, 'key encipherment'], undefined],
  [
    'one with an address alone',
    { ...kubelet, alternativeNames: alternativeNamesOf(['::1']) },
    serving,
    undefined,
  ],
  [
    'another group',
    { ...kubelet, subject: nameOf('system:node:one', ['nodes']) },
    serving,
    'subject organization is not system:nodes',
  ],
  [
    'no names',
    { ...kubelet, alternativeNames: noAlternativeNames },
    serving,
    'DNS or IP subjectAltName is required',
  ],
  [
    'another name',
    { ...kubelet, subject: nameOf('one', ['system:nodes']) },
    serving,
    'subject common name does not begin with system:node:',
  ],
  [
    'another usage',
    kubelet,
    [...serving, 'client auth'],
    'usages did not match [digital signature key encipherment server auth]',
  ],
])('the signer of kubelets says of %s', (_, request, usages, fault) => {
  expect(faultOf('kubelet-serving', request, usages)).toBe(fault);
});

test('splitUsages() tells what a key does from what a certificate is for', () => {
  expect(splitUsages(['server auth', 'key encipherment', 'digital signature'])).toEqual({
    usages: ['key encipherment', 'digital signature'],
    extendedUsages: ['server auth'],
  });
});
