import { expect, test } from 'vitest';
import { forgeKubeconfig } from './forge-kubeconfig.ts';
import { untrusted } from './kubeconfig-trust.ts';
import { parseKubeconfig } from './parse-kubeconfig.ts';
import { printKubeconfig } from './print-kubeconfig.ts';
import { resolveConnection } from './resolve-connection.ts';
import { selectContext } from './select-context.ts';
import { clientOne, server } from './testing/certificates.ts';
import { FakeClock } from './testing/fake-clock.ts';

const parts = { name: 'edge', server: 'https://10.0.0.1:6443', caPem: server.cert };

function reread(text: string) {
  return resolveConnection(selectContext(parseKubeconfig(text, 'forged')), {
    clock: new FakeClock(),
    trust: untrusted,
  });
}

test('forgeKubeconfig() makes a kubeconfig of a token that works by itself', async () => {
  const config = forgeKubeconfig({ ...parts, user: { token: 't' }, namespace: 'shop' });
  const connection = await reread(printKubeconfig(config));
  expect(connection.server.href).toBe('https://10.0.0.1:6443/');
  expect(connection.namespace).toBe('shop');
  expect((await connection.credentials()).headers).toEqual({ authorization: 'Bearer t' });
});

test('forgeKubeconfig() makes a kubeconfig of a client certificate that works by itself', async () => {
  const user = { clientCertificatePem: clientOne.cert, clientKeyPem: clientOne.key };
  const connection = await reread(printKubeconfig(forgeKubeconfig({ ...parts, user })));
  expect(connection.namespace).toBe('default');
  expect((await connection.credentials()).headers).toEqual({});
  expect((await connection.tls()).secureContext).toBeDefined();
});

test('printKubeconfig() quotes what another reader would not take for a string', () => {
  const config = forgeKubeconfig({ name: 'yes', server: 'https://x', user: { token: '0123' } });
  expect(printKubeconfig(config)).toBe(`apiVersion: v1
kind: Config
clusters:
- name: 'yes'
  cluster:
    server: https://x
users:
- name: 'yes'
  user:
    token: '0123'
contexts:
- name: 'yes'
  context:
    cluster: 'yes'
    user: 'yes'
current-context: 'yes'
`);
});
