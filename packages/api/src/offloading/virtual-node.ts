import type { ObjectOf } from '@liqo/kube';
import { offeredClasses } from '../authentication/offered-classes.ts';
import { clusterID } from '../core/cluster-id.ts';
import { containerImage } from '../embedded/container-image.ts';
import { deploymentTemplate } from '../embedded/deployment-template.ts';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { objectReference } from '../embedded/object-reference.ts';
import { resourceQuotaSpec } from '../embedded/resource-quota-spec.ts';
import { stringMap } from '../embedded/string-map.ts';
import { taint } from '../embedded/taint.ts';
import { liqoCondition } from '../liqo-condition.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { boolean, describe, list, object, stringEnum, withDefault } from '../schema.ts';
import { offloadingPatch } from './offloading-patch.ts';

/** `Provider` and `Unreachable` are additions to Liqo: whether the virtual kubelet reaches the provider. */
const condition = liqoCondition(
  stringEnum('VirtualKubelet', 'Node', 'Provider'),
  withDefault(
    stringEnum('None', 'Running', 'Creating', 'Draining', 'Deleting', 'Unreachable'),
    'None',
  ),
);

export const VirtualNode = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'VirtualNode',
  plural: 'virtualnodes',
  scope: 'Namespaced',
  shortNames: ['vn', 'vnode', 'virno', 'vno'],
  description: 'A provider, shown as a node of this cluster.',
  columns: [
    column('ClusterID', '.spec.clusterID'),
    column('Create Node', '.spec.createNode', { type: 'boolean' }),
    ageColumn,
    column('Node', '.status.conditions[?(@.type=="Node")].status', { priority: 1 }),
    column('VirtualKubelet', '.status.conditions[?(@.type=="VirtualKubelet")].status', {
      priority: 1,
    }),
  ],
  spec: object({
    optional: {
      clusterID: describe(clusterID, 'The provider.'),
      kubeconfigSecretRef: describe(
        localObjectReference,
        'The Secret of this namespace whose key "kubeconfig" reaches the provider.',
      ),
      createNode: boolean('Whether a Node is made; the template of options decides if absent.'),
      disableNetworkCheck: boolean('Whether the Node is Ready without a network to the provider.'),
      resourceQuota: describe(resourceQuotaSpec, 'Its "hard" part is the capacity of the Node.'),
      images: describe(list(containerImage), 'Images that the provider has already.'),
      labels: describe(stringMap, 'Copied to the Node.'),
      annotations: describe(stringMap, 'Copied to the Node.'),
      taints: describe(list(taint), 'Copied to the Node.'),
      ...offeredClasses,
      offloadingPatch,
      vkOptionsTemplateRef: describe(
        objectReference,
        'The VkOptionsTemplate to use in place of the default one.',
      ),
      template: describe(deploymentTemplate, 'The Deployment of the virtual kubelet.'),
    },
    setOnce: ['clusterID'],
  }),
  status: object({ optional: { conditions: list(condition) } }),
});

export type VirtualNode = ObjectOf<typeof VirtualNode>;
