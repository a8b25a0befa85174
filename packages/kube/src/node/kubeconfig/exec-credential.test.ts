import { expect, test } from 'vitest';
import { parseExecCredential } from './exec-credential.ts';
import type { ExecPlugin } from './exec-plugin.ts';
import { ExecPluginError } from './exec-plugin-error.ts';
import { Place } from './place.ts';
import { clientOne, clientTwo } from './testing/certificates.ts';

const apiVersion = 'client.authentication.k8s.io/v1';

const plugin: ExecPlugin = {
  apiVersion,
  command: 'login',
  args: [],
  env: {},
  installHint: '',
  provideClusterInfo: false,
  interactiveMode: 'Never',
  user: 'dev',
  place: new Place({ lines: new Map() }),
};

function print(status: unknown, top: object = {}): string {
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', status, ...top });
}

test('parseExecCredential() reads a token without an end', () => {
  expect(parseExecCredential(plugin, print({ token: 't' }))).toEqual({
    token: 't',
    keyPair: undefined,
    expiresAtMs: Number.POSITIVE_INFINITY,
  });
});

test('parseExecCredential() reads a certificate and when it ends', () => {
  const status = {
    clientCertificateData: clientOne.cert,
    clientKeyData: clientOne.key,
    expirationTimestamp: '2026-03-05T17:30:20-08:00',
  };
  expect(parseExecCredential(plugin, print(status))).toEqual({
    token: undefined,
    keyPair: clientOne,
    expiresAtMs: Date.parse('2026-03-06T01:30:20Z'),
  });
});

test.each([
  ['nothing', '', 'not a JSON object'],
  ['words', 'hunter2', 'not a JSON object'],
  ['a list', '["hunter2"]', 'not a JSON object'],
  ['another kind', print({ token: 'hunter2' }, { kind: 'Secret' }), 'not of kind ExecCredential'],
  ['another version', print({}, { apiVersion: `${apiVersion}beta1` }), `speak "${apiVersion}"`],
  ['no status', print(undefined), 'has no status'],
  ['an empty status', print({}), 'neither a token nor a client certificate'],
  ['an empty token', print({ token: '' }), 'neither a token nor a client certificate'],
  ['a token of a number', print({ token: 1 }), 'token in its output is not a string'],
  ['a token of two lines', print({ token: 'hunter2\nx' }), 'no header can hold'],
  ['a lonely certificate', print({ clientCertificateData: clientOne.cert }), 'not both'],
  ['a lonely key', print({ token: 't', clientKeyData: clientOne.key }), 'not both'],
  [
    'a certificate with another key',
    print({ clientCertificateData: clientOne.cert, clientKeyData: clientTwo.key }),
    'cannot be used with its key (key values mismatch)',
  ],
  ['no date', print({ token: 'hunter2', expirationTimestamp: 'soon' }), 'not a date and time'],
])('parseExecCredential() explains %s', (_, stdout, reason) => {
  const read = () => parseExecCredential(plugin, stdout);
  expect(read).toThrow(ExecPluginError);
  expect(read).toThrow(reason);
  expect(read).toThrow('Cannot get credentials for user "dev" from exec plugin "login"');
  expect(read).not.toThrow('hunter2');
});
