import { shellImage } from '../real-nodes/test-images.ts';

/** The documents of the guides, as somebody would apply them. */

export const virtualNode = {
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'VirtualNode',
  metadata: {
    labels: { 'liqo.io/remote-cluster-id': 'milan' },
    name: 'mynode',
    namespace: 'liqo-tenant-milan',
  },
  spec: {
    clusterID: 'milan',
    createNode: true,
    disableNetworkCheck: false,
    kubeconfigSecretRef: { name: 'kubeconfig-resourceslice-mypool' },
    labels: { 'liqo.io/remote-cluster-id': 'milan' },
    resourceQuota: { hard: { cpu: '2', memory: '4Gi', pods: '110' } },
  },
};

export const offloading = {
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'NamespaceOffloading',
  metadata: { name: 'offloading', namespace: 'shop' },
  spec: { podOffloadingStrategy: 'Remote' },
};

const website = `mkdir -p /tmp/www && hostname >/tmp/www/index.html && echo started
exec httpd -f -p 8080 -h /tmp/www`;

const onVirtualNodes = {
  nodeSelector: { 'liqo.io/type': 'virtual-node' },
  tolerations: [
    { key: 'virtual-node.liqo.io/not-allowed', operator: 'Exists', effect: 'NoExecute' },
  ],
};

/** A pod with a sidecar, which is changed while it runs. */
export const toolsPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'tools', namespace: 'shop' },
  spec: {
    terminationGracePeriodSeconds: 1,
    ...onVirtualNodes,
    initContainers: [{ ...sleeper('proxy'), restartPolicy: 'Always' }],
    containers: [sleeper('web')],
  },
};

function sleeper(name: string): object {
  const resources = { requests: { cpu: '10m' } };
  const command = ['sleep', '3600'];
  return { name, image: shellImage, imagePullPolicy: 'Never', command, resources };
}

export function offloadedDeployment(replicas: number, version = '1'): object {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          terminationGracePeriodSeconds: 1,
          ...onVirtualNodes,
          containers: [
            {
              name: 'web',
              image: shellImage,
              imagePullPolicy: 'Never',
              command: ['sh', '-c', website],
              env: [{ name: 'VERSION', value: version }],
            },
          ],
        },
      },
    },
  };
}
