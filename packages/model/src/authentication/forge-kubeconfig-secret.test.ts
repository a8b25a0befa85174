import type { Identity } from '@liqo/api';
import { parseKubeconfig, selectContext } from '@liqo/kube/node';
import { expect, test } from 'vitest';
import { forgeControlPlaneIdentity } from './forge-identity.ts';
import { forgeKubeconfigSecret } from './forge-kubeconfig-secret.ts';

const authParams = {
  apiServer: 'https://milan.example:6443',
  ca: btoa('the authority'),
  signedCRT: btoa('the certificate'),
  proxyURL: 'http://10.70.0.5:8118',
};
const forged = forgeControlPlaneIdentity({
  provider: 'milan',
  tenantNamespace: 'liqo-tenant-milan',
  remoteNamespace: 'liqo-tenant-rome',
  authParams,
});

function stored(identity: Identity) {
  const metadata = { name: '', uid: 'u1', resourceVersion: '1', creationTimestamp: '' };
  return { ...identity, metadata: { ...metadata, ...identity.metadata } } as Parameters<
    typeof forgeKubeconfigSecret
  >[0];
}

const textOf = (identity: Identity) =>
  atob(forgeKubeconfigSecret(stored(identity), btoa('the key')).data?.kubeconfig ?? '');

test('forgeKubeconfigSecret() has the names and marks of the one that was recorded from Liqo', () => {
  const { metadata, type, data } = forgeKubeconfigSecret(stored(forged), btoa('the key'));
  expect(metadata).toEqual({
    name: 'kubeconfig-controlplane-milan',
    namespace: 'liqo-tenant-milan',
    annotations: { 'liqo.io/remote-tenant-namespace': 'liqo-tenant-rome' },
    labels: {
      'liqo.io/identity-type': 'ControlPlane',
      'liqo.io/managed': 'true',
      'liqo.io/remote-cluster-id': 'milan',
    },
    ownerReferences: [
      {
        apiVersion: 'authentication.liqo.io/v1beta1',
        blockOwnerDeletion: true,
        controller: true,
        kind: 'Identity',
        name: 'controlplane-milan',
        uid: 'u1',
      },
    ],
  });
  expect([type, Object.keys(data ?? {})]).toEqual(['Opaque', ['kubeconfig']]);
});

test('forgeKubeconfigSecret() makes a kubeconfig with the entries of the one that Liqo builds', () => {
  const selected = selectContext(parseKubeconfig(textOf(forged), 'test'));
  expect(selected).toMatchObject({
    namespace: 'liqo-tenant-rome',
    cluster: {
      name: 'milan',
      cluster: {
        server: authParams.apiServer,
        'certificate-authority-data': authParams.ca,
        'proxy-url': authParams.proxyURL,
      },
    },
    user: {
      name: 'controlplane-milan',
      user: {
        'client-certificate-data': authParams.signedCRT,
        'client-key-data': btoa('the key'),
      },
    },
  });
  expect(parseKubeconfig(textOf(forged), 'test')).toMatchObject({
    'current-context': 'default-context',
  });
});

test('forgeKubeconfigSecret() names no namespace for the virtual kubelets of a slice', () => {
  const spec = { ...forged.spec, type: 'ResourceSlice' as const };
  const { metadata } = forgeKubeconfigSecret(stored({ ...forged, spec }), btoa('the key'));
  expect(metadata?.annotations).toBeUndefined();
  expect(metadata?.labels?.['liqo.io/identity-type']).toBe('ResourceSlice');
  expect(textOf({ ...forged, spec })).not.toContain('liqo-tenant-rome');
});

test.each([['true'], ['123'], ['1e3'], ['null']])(
  'forgeKubeconfigSecret() keeps a cluster called %s a text',
  (provider) => {
    const spec = { ...forged.spec, clusterID: provider };
    const { cluster } = selectContext(parseKubeconfig(textOf({ ...forged, spec }), 'test'));
    expect(cluster.name).toBe(provider);
  },
);
