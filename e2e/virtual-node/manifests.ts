import type { VirtualNode } from '@liqo/api';
import { podOf } from '../real-nodes/workloads.ts';

/** At home, the namespace about the provider. */
export const tenant = 'liqo-tenant-milan';
/** Extends to the provider, and what it is called there. */
export const namespace = 'shop';
export const remoteNamespace = 'shop-rome';

/** A node made of "milan", with the credentials of this Secret. */
export function virtualNodeOf(name: string, secret: string, more: object = {}): VirtualNode {
  return {
    metadata: { name, namespace: tenant, labels: { 'liqo.io/remote-cluster-id': 'milan' } },
    spec: {
      clusterID: 'milan',
      kubeconfigSecretRef: { name: secret },
      labels: { 'liqo.io/remote-cluster-id': 'milan' },
      resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } },
      ...more,
    },
  };
}

/** A pod that sleeps on a virtual node, and nowhere else. */
export function podOn(
  node: string,
  name: string,
  wish: { container?: object; spec?: object } = {},
) {
  const tolerations = [{ key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists' }];
  const spec = { nodeSelector: { 'kubernetes.io/hostname': node }, tolerations, ...wish.spec };
  return podOf(name, 'exec sleep 3600', { ...wish, spec });
}
