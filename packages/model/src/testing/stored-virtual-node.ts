import type { VirtualNode } from '@liqo/api';
import type { Stored } from '@liqo/kube';

/** A VirtualNode of "rome" for "milan", as an API server returns it. */
export function storedVirtualNode(
  spec: Partial<VirtualNode['spec']> = {},
  metadata: VirtualNode['metadata'] = {},
): Stored<VirtualNode> {
  return {
    apiVersion: 'offloading.liqo.io/v1beta1',
    kind: 'VirtualNode',
    metadata: {
      name: 'mynode',
      namespace: 'liqo-tenant-milan',
      uid: 'virtual-node-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...metadata,
    },
    spec: {
      clusterID: 'milan',
      kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mynode' },
      resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '10' } },
      ...spec,
    },
  };
}
