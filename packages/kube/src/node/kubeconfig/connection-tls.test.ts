import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import type { KubeconfigCluster, KubeconfigUser } from './kubeconfig.ts';
import { clientOne, clientTwo, server as identity } from './testing/certificates.ts';
import { base64, connectAs } from './testing/connect.ts';

let listener: Server;

/** Tells every client the name that it was asked for and the name on the client's certificate. */
beforeAll(async () => {
  listener = createServer(
    { ...identity, requestCert: true, rejectUnauthorized: false },
    (socket) => {
      const { subject } = socket.getPeerCertificate();
      socket.end(JSON.stringify({ asked: socket.servername, client: subject?.CN }));
    },
  );
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
});

afterAll(() => listener.close());

async function greet(connection: Connection): Promise<unknown> {
  const { port } = listener.address() as AddressInfo;
  const socket = connect({ host: '127.0.0.1', port, ...(await connection.tls()) });
  let text = '';
  for await (const chunk of socket) text += chunk;
  return JSON.parse(text);
}

function connectionWith(cluster: KubeconfigCluster, user: KubeconfigUser = {}) {
  return connectAs(user, {}, { server: 'https://127.0.0.1', ...cluster });
}

const trusted = { 'certificate-authority-data': base64(identity.cert) };
const named = { ...trusted, 'tls-server-name': 'kubernetes.test' };

test('Connection.tls() shows the client certificate', async () => {
  const connection = await connectionWith(named, {
    'client-certificate-data': base64(clientOne.cert),
    'client-key-data': base64(clientOne.key),
  });
  expect(await greet(connection)).toEqual({ asked: 'kubernetes.test', client: 'client-one' });
});

test('Connection.tls() checks the certificate against a name other than the host', async () => {
  expect(await greet(await connectionWith(named))).toMatchObject({ asked: 'kubernetes.test' });
  const other = await connectionWith({ ...trusted, 'tls-server-name': 'other.test' });
  await expect(greet(other)).rejects.toThrow("does not match certificate's altnames");
});

test('Connection.tls() checks the certificate against an address other than the host', async () => {
  const right = await connectionWith({ ...trusted, 'tls-server-name': '10.96.0.1' });
  expect(await greet(right)).toMatchObject({ asked: false });
  const wrong = await connectionWith({ ...trusted, 'tls-server-name': '10.96.0.2' });
  await expect(greet(wrong)).rejects.toThrow("does not match certificate's altnames");
});

test('Connection.tls() checks the certificate against the host when no name is given', async () => {
  await expect(greet(await connectionWith(trusted))).rejects.toThrow('127.0.0.1');
});

test('Connection.tls() trusts no authority but the one given', async () => {
  const authority = { 'certificate-authority-data': base64(clientTwo.cert) };
  await expect(greet(await connectionWith({ ...named, ...authority }))).rejects.toThrow(
    'self-signed certificate',
  );
});

test('Connection.tls() trusts the public authorities when none is given', async () => {
  const connection = await connectionWith({ 'tls-server-name': 'kubernetes.test' });
  await expect(greet(connection)).rejects.toThrow('self-signed certificate');
});

test('Connection.tls() checks nothing when told so', async () => {
  const connection = await connectionWith({ 'insecure-skip-tls-verify': true });
  expect(await greet(connection)).toEqual({ asked: false });
});
