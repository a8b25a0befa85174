import { forgeKubeconfig, printKubeconfig } from '@liqo/kube/node';
import { systemClock, systemRandom } from '@liqo/runtime';
import { createCertificateAuthority } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { peerConnector } from './connect-peer.ts';

const connectPeer = peerConnector({ clock: systemClock, random: systemRandom });
const { certificate: caPem } = await createCertificateAuthority('peer');

function kubeconfigOf(server: string): string {
  return printKubeconfig(forgeKubeconfig({ name: 'peer', server, caPem, user: { token: 't' } }));
}

test('peerConnector() connects to a peer at an ordinary address', async () => {
  await using client = await connectPeer(kubeconfigOf('https://10.0.0.1:6443'));
  expect(client).toBeDefined();
});

test.each(['http://10.0.0.1', 'https://127.0.0.1:6443', 'https://169.254.169.254'])(
  'peerConnector() refuses %s unless the installation allows insecure peers',
  async (server) => {
    await expect(connectPeer(kubeconfigOf(server))).rejects.toThrow('is not trusted to');
    await using client = await connectPeer(kubeconfigOf(server), { allowInsecure: true });
    expect(client).toBeDefined();
  },
);

test('peerConnector() refuses impersonation even if insecure peers are allowed', async () => {
  const text = kubeconfigOf('https://10.0.0.1').replace(
    /^(\s*)token: t$/m,
    '$1token: t\n$1as: admin',
  );
  expect(text).toContain('as: admin');
  await expect(connectPeer(text, { allowInsecure: true })).rejects.toThrow('acts as another user');
});

test('peerConnector() refuses a kubeconfig of megabytes without parsing it', async () => {
  const huge = `${kubeconfigOf('https://10.0.0.1')}${'# x\n'.repeat(2_500_000)}`;
  await expect(connectPeer(huge)).rejects.toThrow('it exceeds 131072 characters');
});
