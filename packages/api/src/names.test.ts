import { describe, expect, test } from 'vitest';
import {
  remoteCertificateSecretName,
  rootCaConfigMapName,
  virtualKubeletBindingName,
} from './names.ts';

describe('rootCaConfigMapName()', () => {
  test.each([
    ['rome', 'kube-root-ca.crt.rome'],
    ['florence', 'kube-root-ca.crt.flore'],
    ['cool-firefly', 'kube-root-ca.crt.cool-a'],
  ])('of %s is %s', (clusterID, name) => expect(rootCaConfigMapName(clusterID)).toBe(name));
});

describe('remoteCertificateSecretName()', () => {
  test('is that of the control plane when there is no slice', () => {
    expect(remoteCertificateSecretName()).toBe('liqo-remote-certificate');
    expect(remoteCertificateSecretName('pool')).toBe('liqo-remote-certificate-pool');
  });
});

describe('virtualKubeletBindingName()', () => {
  test('is never longer than a name may be', () => {
    expect(virtualKubeletBindingName('milan')).toBe('liqo-node-milan');
    expect(virtualKubeletBindingName('m'.repeat(253))).toHaveLength(253);
  });
});
