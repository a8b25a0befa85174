import { ClusterConfig, NamespaceOffloading, ResourceSlice, VirtualNode } from '@liqo/api';
import type { Kind } from '@liqo/kube';
import type { JsonObject } from './liqo-kind-document.ts';

const labels = { 'liqo.io/remote-cluster-id': 'cool-firefly' };
const node = {
  clusterID: 'cool-firefly',
  createNode: true,
  disableNetworkCheck: false,
  kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
};

/** What users write after the handbook, and the least they can write. */
export const documentedManifests: readonly (readonly [string, Kind, JsonObject])[] = [
  [
    'a slice that becomes a virtual node',
    ResourceSlice,
    {
      metadata: {
        annotations: { 'liqo.io/create-virtual-node': 'true' },
        creationTimestamp: null,
        labels: { ...labels, 'liqo.io/remoteID': 'cool-firefly', 'liqo.io/replication': 'true' },
      },
      spec: { class: 'default', providerClusterID: 'cool-firefly' },
      status: {},
    },
  ],
  [
    'a virtual node of a slice',
    VirtualNode,
    {
      metadata: { creationTimestamp: null, labels },
      spec: {
        ...node,
        labels: { ...labels, 'liqo.io/provider': 'kubeadm' },
        resourceQuota: {
          hard: { cpu: '4', 'ephemeral-storage': '20Gi', memory: '8Gi', pods: '110' },
        },
        storageClasses: [{ storageClassName: 'liqo' }],
      },
      status: {},
    },
  ],
  [
    'a virtual node of a kubeconfig',
    VirtualNode,
    {
      metadata: { creationTimestamp: null, labels },
      spec: { ...node, labels, resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } } },
    },
  ],
  ['a slice that asks for nothing in particular', ResourceSlice, {}],
  ['an offloading with nothing but defaults', NamespaceOffloading, { spec: {} }],
  [
    'an offloading of genuine liqoctl',
    NamespaceOffloading,
    {
      spec: {
        clusterSelector: { nodeSelectorTerms: [] },
        namespaceMappingStrategy: 'EnforceSameName',
        podOffloadingStrategy: 'Remote',
      },
    },
  ],
  ['a configuration with nothing but defaults', ClusterConfig, {}],
];
