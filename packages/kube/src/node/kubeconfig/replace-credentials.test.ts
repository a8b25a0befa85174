import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';
import { clientOne, clientTwo, server } from './testing/certificates.ts';
import { base64, connectAs } from './testing/connect.ts';

const cluster: KubeconfigCluster = {
  server: 'https://milan.example:6443',
  'certificate-authority-data': base64(server.cert),
};

function userOf({ cert, key }: { cert: string; key: string }): KubeconfigUser {
  return { 'client-certificate-data': base64(cert), 'client-key-data': base64(key) };
}

const connectOne = () => connectAs(userOf(clientOne), {}, cluster);
const replace = async (one: Connection, other: Connection) => one.replaceWith?.(other as never);

test('Connection.replaceWith() takes another key pair for the same place', async () => {
  const connection = await connectOne();
  const before = await connection.credentials();
  expect(await replace(connection, await connectAs(userOf(clientTwo), {}, cluster))).toBe(true);
  const after = await connection.credentials();
  expect(after.tlsGeneration).toBeGreaterThan(before.tlsGeneration);
  expect((await connection.tls()).generation).toBe(after.tlsGeneration);
  // A request that was refused with the old pair is worth repeating with the new one.
  expect(await connection.onUnauthorized(before)).toBe(true);
});

test('Connection.replaceWith() takes another token for the same place', async () => {
  const connection = await connectAs({ token: 'one' }, {}, cluster);
  expect(await replace(connection, await connectAs({ token: 'two' }, {}, cluster))).toBe(true);
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer two' });
});

test('Connection.replaceWith() changes nothing for the same credentials', async () => {
  const connection = await connectOne();
  const before = await connection.credentials();
  expect(await replace(connection, await connectOne())).toBe(true);
  expect(await connection.credentials()).toBe(before);
});

test.each<[string, KubeconfigCluster, KubeconfigUser]>([
  ['another server', { ...cluster, server: 'https://milan.example:6444' }, {}],
  ['another path', { ...cluster, server: 'https://milan.example:6443/a' }, {}],
  ['another authority', { ...cluster, 'certificate-authority-data': base64(clientOne.cert) }, {}],
  ['the public authorities', { server: 'https://milan.example:6443' }, {}],
  ['a proxy', { ...cluster, 'proxy-url': 'http://10.0.0.9:8118' }, {}],
  ['another expected name', { ...cluster, 'tls-server-name': 'a.test' }, {}],
  ['somebody to impersonate', cluster, { as: 'admin' }],
])('Connection.replaceWith() refuses credentials for %s', async (_, place, user) => {
  const connection = await connectOne();
  const before = await connection.credentials();
  const other = await connectAs({ ...userOf(clientTwo), ...user }, {}, place);
  expect(await replace(connection, other)).toBe(false);
  expect(await connection.credentials()).toBe(before);
});
