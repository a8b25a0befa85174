import type { ResourceSlice } from '@liqo/api';
import { expect, test } from 'vitest';
import { forgeVirtualNode, sliceSecretName, type VirtualNodeWishes } from './forge-virtual-node.ts';
import { renderYaml } from './output/render-objects.ts';

const wishes: VirtualNodeWishes = {
  name: 'mynode',
  namespace: 'liqo-tenant-cool-firefly',
  remoteClusterID: 'cool-firefly',
  createNode: true,
  disableNetworkCheck: false,
  kubeconfigSecretName: 'kubeconfig-resourceslice-mypool',
  resources: {},
  storageClasses: [],
  ingressClasses: [],
  loadBalancerClasses: [],
  labels: {},
  nodeSelector: {},
  runtimeClassName: undefined,
  vkOptionsTemplate: undefined,
  globalLabels: {},
  globalAnnotations: {},
};

const slice: ResourceSlice = {
  spec: {},
  status: {
    resources: { cpu: '4', memory: '8Gi', 'ephemeral-storage': '20Gi', pods: '110' },
    storageClasses: [{ storageClassName: 'liqo' }],
    nodeLabels: { 'liqo.io/provider': 'kubeadm' },
  },
};

test('forgeVirtualNode() makes of a slice what the documentation shows', () => {
  expect(renderYaml([forgeVirtualNode(wishes, slice)])).toBe(
    `apiVersion: offloading.liqo.io/v1beta1
kind: VirtualNode
metadata:
  labels:
    liqo.io/remote-cluster-id: cool-firefly
  name: mynode
  namespace: liqo-tenant-cool-firefly
spec:
  clusterID: cool-firefly
  createNode: true
  disableNetworkCheck: false
  kubeconfigSecretRef:
    name: kubeconfig-resourceslice-mypool
  labels:
    liqo.io/provider: kubeadm
    liqo.io/remote-cluster-id: cool-firefly
  resourceQuota:
    hard:
      cpu: "4"
      ephemeral-storage: 20Gi
      memory: 8Gi
      pods: "110"
  storageClasses:
  - storageClassName: liqo
status: {}
`,
  );
});

test('forgeVirtualNode() makes of a Secret what the documentation shows', () => {
  const resources = { cpu: '2', memory: '4Gi', pods: '110' };
  expect(renderYaml([forgeVirtualNode({ ...wishes, resources })])).toBe(
    `apiVersion: offloading.liqo.io/v1beta1
kind: VirtualNode
metadata:
  labels:
    liqo.io/remote-cluster-id: cool-firefly
  name: mynode
  namespace: liqo-tenant-cool-firefly
spec:
  clusterID: cool-firefly
  createNode: true
  disableNetworkCheck: false
  kubeconfigSecretRef:
    name: kubeconfig-resourceslice-mypool
  labels:
    liqo.io/remote-cluster-id: cool-firefly
  resourceQuota:
    hard:
      cpu: "2"
      memory: 4Gi
      pods: "110"
status: {}
`,
  );
});

test('forgeVirtualNode() lets wishes win over the slice, resource by resource', () => {
  const forged = forgeVirtualNode(
    { ...wishes, resources: { cpu: '1' }, storageClasses: ['fast', 'slow'] },
    slice,
  );
  expect(forged.spec.resourceQuota?.hard).toMatchObject({ cpu: '1', memory: '8Gi' });
  expect(forged.spec.storageClasses).toEqual([
    { storageClassName: 'fast', default: true },
    { storageClassName: 'slow' },
  ]);
});

test('forgeVirtualNode() says everything else that is wished for', () => {
  const forged = forgeVirtualNode({
    ...wishes,
    labels: { region: 'eu', 'liqo.io/remote-cluster-id': 'somebody-else' },
    nodeSelector: { disk: 'ssd' },
    runtimeClassName: 'gvisor',
    vkOptionsTemplate: { namespace: 'liqo', name: 'big' },
    globalLabels: { team: 'web' },
    globalAnnotations: { note: 'x' },
  });
  expect(forged.metadata).toMatchObject({
    labels: { team: 'web', 'liqo.io/remote-cluster-id': 'cool-firefly' },
    annotations: { note: 'x' },
  });
  expect(forged.spec).toMatchObject({
    labels: { region: 'eu', 'liqo.io/remote-cluster-id': 'cool-firefly' },
    offloadingPatch: { nodeSelector: { disk: 'ssd' }, runtimeClassName: 'gvisor' },
    vkOptionsTemplateRef: {
      apiVersion: 'offloading.liqo.io/v1beta1',
      kind: 'VkOptionsTemplate',
      namespace: 'liqo',
      name: 'big',
    },
  });
});

test('sliceSecretName() is where a slice has its kubeconfig', () => {
  expect(sliceSecretName('mypool')).toBe('kubeconfig-resourceslice-mypool');
});
