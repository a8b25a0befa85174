import {
  fixedNames,
  labels,
  labelValues,
  NamespaceOffloading,
  tenantNamespaceName,
  VirtualNode,
  virtualNodeToleration,
} from '@liqo/api';
import { type Client, Deployment, mergePatch, Namespace, Node, Pod, Secret } from '@liqo/kube';
import { forgeCredentials } from '../world/forge-credentials.ts';

/** What the people of `rome` do with a virtual node that is `milan`, and with a shop that runs on it. */
export const node = 'mynode';
export const tenantNamespace = tenantNamespaceName('milan');
export const namespace = 'shop';
export const app = { namespace, name: 'web' };
export const offloading = { namespace, name: fixedNames.namespaceOffloading };
export const secret = 'kubeconfig-mynode';

export async function createVirtualNode(rome: Client): Promise<void> {
  const credentials = { name: secret, user: `rome-${node}` };
  await rome.create(Secret, forgeCredentials('rome', 'milan', credentials));
  await rome.create(VirtualNode, {
    metadata: { name: node, namespace: tenantNamespace },
    spec: {
      clusterID: 'milan',
      createNode: true,
      disableNetworkCheck: true,
      kubeconfigSecretRef: { name: secret },
      labels: { [labels.remoteClusterID]: 'milan' },
      resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } },
    },
  });
}

export async function offloadNamespace(rome: Client): Promise<void> {
  await rome.create(Namespace, { metadata: { name: namespace } });
  await rome.create(NamespaceOffloading, {
    metadata: offloading,
    spec: { namespaceMappingStrategy: 'DefaultName', podOffloadingStrategy: 'Remote' },
  });
}

export async function openShop(rome: Client, replicas: number): Promise<void> {
  const marks = { app: app.name };
  await rome.create(Deployment, {
    metadata: app,
    spec: {
      replicas,
      selector: { matchLabels: marks },
      template: {
        metadata: { labels: marks },
        spec: {
          containers: [{ name: 'web', image: 'web:1' }],
          nodeSelector: { [labels.type]: labelValues.virtualNode },
          tolerations: [{ ...virtualNodeToleration }],
        },
      },
    },
  });
}

export async function scaleShop(rome: Client, replicas: number): Promise<void> {
  await rome.patch(Deployment, app, mergePatch({ spec: { replicas } }));
}

export async function renewShop(rome: Client): Promise<void> {
  const containers = [{ name: 'web', image: 'web:2' }];
  await rome.patch(Deployment, app, mergePatch({ spec: { template: { spec: { containers } } } }));
}

/** As `kubectl drain` does, but for those who come back. */
export async function drainNode(rome: Client): Promise<void> {
  await rome.patch(Node, { name: node }, mergePatch({ spec: { unschedulable: true } }));
  const { items } = await rome.list(Pod, { fieldSelector: `spec.nodeName=${node}` });
  for (const { metadata } of items) await rome.evict(metadata);
}
