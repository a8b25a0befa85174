import type { VkOptionsTemplate } from '@liqo/api';
import { expect, test } from 'vitest';
import { storedVirtualNode } from '../testing/stored-virtual-node.ts';
import { forgeVirtualKubelet } from './virtual-kubelet-deployment.ts';
import { forgeVirtualKubeletPolicy } from './virtual-kubelet-network-policy.ts';

const home = { clusterID: 'rome', liqoNamespace: 'liqo' };

function forge(spec: Partial<VkOptionsTemplate['spec']> = {}) {
  const options: VkOptionsTemplate = {
    metadata: { name: 'virtual-kubelet-default', namespace: 'liqo' },
    spec: {
      containerImage: 'localhost/liqo:dev',
      createNode: true,
      disableNetworkCheck: true,
      metricsEnabled: false,
      ...spec,
    },
  };
  const virtualNode = storedVirtualNode();
  const deployment = forgeVirtualKubelet(virtualNode, options, home);
  return { deployment, policy: forgeVirtualKubeletPolicy(virtualNode, deployment) };
}

test('forgeVirtualKubeletPolicy() selects the pods of the virtual kubelet, and goes with its VirtualNode', () => {
  const { deployment, policy } = forge();
  expect(policy.metadata).toMatchObject({
    name: 'vk-mynode',
    namespace: 'liqo-tenant-milan',
    ownerReferences: [{ kind: 'VirtualNode', name: 'mynode', uid: 'virtual-node-uid' }],
  });
  expect(policy.spec?.podSelector).toEqual(deployment.spec?.selector);
});

test.each([
  ['the kubelet port alone', {}, [10_250]],
  [
    'the metrics, where they are served',
    { metricsEnabled: true, metricsAddress: ':5872' },
    [5_872, 10_250],
  ],
  ['another kubelet port', { extraArgs: ['--listen-port=10350'] }, [10_250, 10_350]],
  ['no port that does not exist', { extraArgs: ['--listen-port=0,99999999'] }, [10_250]],
])('forgeVirtualKubeletPolicy() allows connections to %s', (_, spec, ports) => {
  const { policy } = forge(spec);
  expect(policy.spec).toMatchObject({ policyTypes: ['Ingress'] });
  expect(policy.spec?.ingress).toEqual([
    { ports: ports.map((port) => ({ port, protocol: 'TCP' })) },
  ]);
});
