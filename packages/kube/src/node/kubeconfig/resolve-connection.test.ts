import { rm } from 'node:fs/promises';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';
import { untrusted } from './kubeconfig-trust.ts';
import { clientOne, clientTwo, server } from './testing/certificates.ts';
import { base64, connectAs } from './testing/connect.ts';
import { FakeClock } from './testing/fake-clock.ts';
import { makeTempFolder, type TempFolder } from './testing/temp-folder.ts';

let folder: TempFolder;
let clock: FakeClock;

beforeEach(async () => {
  folder = await makeTempFolder();
  clock = new FakeClock();
});

afterEach(() => folder[Symbol.asyncDispose]());

const inlineCertificate = {
  'client-certificate-data': base64(clientOne.cert),
  'client-key-data': base64(clientOne.key),
};

test.each<[string, KubeconfigUser, Record<string, string | string[]>]>([
  ['nothing for nobody', {}, {}],
  ['a token', { token: 't' }, { authorization: 'Bearer t' }],
  ['a password', { username: 'u', password: 'p' }, { authorization: `Basic ${base64('u:p')}` }],
  [
    'a token and whom to impersonate',
    { token: 't', as: 'jane', 'as-groups': ['a', 'b'] },
    { authorization: 'Bearer t', 'impersonate-user': 'jane', 'impersonate-group': ['a', 'b'] },
  ],
  ['nothing beside a certificate', inlineCertificate, {}],
  [
    'a token beside a certificate',
    { ...inlineCertificate, token: 't' },
    { authorization: 'Bearer t' },
  ],
])('Connection.credentials() sends %s', async (_, user, headers) => {
  const connection = await connectAs(user);
  expect((await connection.credentials()).headers).toEqual(headers);
});

test('Connection.credentials() is the same object while nothing changes', async () => {
  const connection = await connectAs({ token: 't' });
  expect(await connection.credentials()).toBe(await connection.credentials());
});

test('Connection.credentials() keeps credentials from a server that does not encrypt', async () => {
  const user = { token: 't', as: 'jane', tokenFile: '/nowhere' };
  const connection = await connectAs(user, {}, { server: 'http://localhost:8080' });
  expect((await connection.credentials()).headers).toEqual({ 'impersonate-user': 'jane' });
});

test('Connection.server keeps its path and drops the query', async () => {
  const connection = await connectAs({}, {}, { server: 'https://x:8443/k8s/clusters/a?b#c' });
  expect(connection.server.href).toBe('https://x:8443/k8s/clusters/a');
});

test('Connection.proxyUrl is the proxy with its credentials', async () => {
  const cluster = { server: 'https://x', 'proxy-url': 'http://me:secret@proxy:3128' };
  expect((await connectAs({}, {}, cluster)).proxyUrl?.href).toBe('http://me:secret@proxy:3128/');
  expect((await connectAs({})).proxyUrl).toBeUndefined();
});

test('Connection.credentials() reads a token file again after a minute, not before', async () => {
  const tokenFile = await folder.write('token', 'one\n');
  const connection = await connectAs({ tokenFile }, { clock });
  await folder.write('token', 'two\n');
  clock.advance(59_000);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer one' });
  clock.advance(1_000);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer two' });
});

test('Connection.credentials() lives with a token file that is briefly gone, and says so', async () => {
  const tokenFile = await folder.write('token', 'one');
  const complaints: unknown[] = [];
  const connection = await connectAs({ tokenFile }, { clock, onStale: (e) => complaints.push(e) });
  await rm(tokenFile);
  clock.advance(60_000);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer one' });
  expect(String(complaints)).toContain('there is no such file');
  await folder.write('token', '');
  clock.advance(60_000);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer one' });
  await folder.write('token', 'two');
  clock.advance(60_000);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer two' });
});

test('Connection.credentials() prefers a token file to a token, once it can be read', async () => {
  const tokenFile = `${folder.path}/token`;
  const connection = await connectAs({ token: 'inline', tokenFile }, { clock });
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer inline' });
  await folder.write('token', 'file');
  clock.advance(60_000);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer file' });
});

test('Connection.onUnauthorized() reads a token file at once, and retries only with a new token', async () => {
  const tokenFile = await folder.write('token', 'one');
  const connection = await connectAs({ tokenFile }, { clock });
  const refused = await connection.credentials();
  expect(await connection.onUnauthorized(refused)).toBe(false);
  await folder.write('token', 'two');
  expect(await connection.onUnauthorized(refused)).toBe(true);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer two' });
  expect(await connection.onUnauthorized(refused)).toBe(true);
});

test('Connection.onUnauthorized() has nothing better than a fixed token', async () => {
  const connection = await connectAs({ token: 't' });
  expect(await connection.onUnauthorized(await connection.credentials())).toBe(false);
});

test('Connection.tls() follows a certificate that is replaced', async () => {
  const user = {
    'client-certificate': await folder.write('tls.crt', clientOne.cert),
    'client-key': await folder.write('tls.key', clientOne.key),
  };
  const connection = await connectAs(user, { clock });
  const before = await connection.tls();
  expect((await connection.credentials()).tlsGeneration).toBe(before.generation);

  await folder.write('tls.crt', clientTwo.cert);
  clock.advance(60_000);
  expect((await connection.credentials()).tlsGeneration).toBe(before.generation);
  expect((await connection.tls()).secureContext).toBe(before.secureContext);

  await folder.write('tls.key', clientTwo.key);
  clock.advance(60_000);
  expect((await connection.credentials()).tlsGeneration).toBe(before.generation + 1);
  const after = await connection.tls();
  expect(after.generation).toBe(before.generation + 1);
  expect(after.secureContext).not.toBe(before.secureContext);
});

test('Connection.tls() follows an authority that is replaced without giving up connections', async () => {
  const authority = await folder.write('ca.crt', server.cert);
  const cluster = { server: 'https://x', 'certificate-authority': authority };
  const connection = await connectAs({}, { clock }, cluster);
  const before = await connection.tls();
  await folder.write('ca.crt', clientOne.cert);
  clock.advance(60_000);
  const after = await connection.tls();
  expect(after.secureContext).not.toBe(before.secureContext);
  expect(after.generation).toBe(before.generation);
});

test.each<[string, KubeconfigUser]>([
  ['tokenFile', { tokenFile: '/etc/passwd' }],
  [
    'client-certificate',
    { ...inlineCertificate, 'client-certificate': '/etc/passwd', 'client-certificate-data': '' },
  ],
  ['client-key', { ...inlineCertificate, 'client-key': '/etc/passwd', 'client-key-data': '' }],
])('resolveConnection() reads no %s for a kubeconfig of somebody else', async (key, user) => {
  await expect(connectAs(user, { trust: untrusted })).rejects.toThrow(
    `users["dev"].user.${key}: names a file`,
  );
});

test('resolveConnection() reads no authority for a kubeconfig of somebody else', async () => {
  const cluster = { server: 'https://x', 'certificate-authority': '/etc/passwd' };
  await expect(connectAs({}, { trust: untrusted }, cluster)).rejects.toThrow(
    'put the content in "certificate-authority-data"',
  );
});

test.each<[string, KubeconfigUser, KubeconfigCluster, string]>([
  ['plain HTTP', {}, { server: 'http://10.0.0.1' }, 'server: is plain HTTP'],
  [
    'TLS without verification',
    {},
    { server: 'https://10.0.0.1', 'insecure-skip-tls-verify': true },
    'insecure-skip-tls-verify: is true',
  ],
  ['impersonation', { token: 't', as: 'admin' }, { server: 'https://x' }, 'user.as: acts as'],
  ['loopback', {}, { server: 'https://127.0.0.1:6443' }, '127.0.0.1 is a loopback address'],
  ['loopback of IPv6', {}, { server: 'https://[::1]:6443' }, '::1 is a loopback address'],
  ['loopback as a number', {}, { server: 'https://2130706433' }, '127.0.0.1 is a loopback address'],
  ['mapped loopback', {}, { server: 'https://[::ffff:127.0.0.1]' }, 'is a loopback address'],
  ['metadata', {}, { server: 'https://169.254.169.254' }, 'is a link-local address'],
  [
    'a proxy on loopback',
    {},
    { server: 'https://10.0.0.1', 'proxy-url': 'http://127.0.0.1:8118' },
    'proxy-url: 127.0.0.1 is a loopback address',
  ],
])(
  'resolveConnection() refuses %s to an untrusted kubeconfig only',
  async (_, user, cluster, why) => {
    await expect(connectAs(user, { trust: untrusted }, cluster)).rejects.toThrow(why);
    await connectAs(user, {}, cluster);
  },
);

test('resolveConnection() takes content where files are forbidden', async () => {
  const connection = await connectAs({ ...inlineCertificate, token: 't' }, { trust: untrusted });
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t' });
});

test('resolveConnection() returns nothing that shows a secret when it is printed', async () => {
  const user = { ...inlineCertificate, token: 'hunter2', as: 'jane' };
  const cluster = { server: 'https://x', 'proxy-url': 'http://me:hunter2@proxy' };
  const connection = await connectAs(user, {}, cluster);
  const credentials = await connection.credentials();
  const things = [connection, credentials, await connection.tls()];
  for (const thing of things) {
    const shown = `${thing}${inspect(thing, { depth: 9, showHidden: true })}${JSON.stringify(thing)}`;
    expect(shown).not.toMatch(/hunter2|PRIVATE/);
  }
  expect(inspect(connection)).toBe('Connection to https://x/ (namespace default)');
  expect(JSON.stringify({ connection })).toBe(
    '{"connection":{"server":"https://x/","namespace":"default"}}',
  );
});
