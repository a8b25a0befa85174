import type { ObjectOf } from '@liqo/kube';
import { clusterID } from '../core/cluster-id.ts';
import { condition } from '../embedded/condition.ts';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { describe, list, object, string } from '../schema.ts';
import { authParams } from './auth-params.ts';
import { identityType } from './identity-type.ts';

export const Identity = defineResource({
  apiVersion: 'authentication.liqo.io/v1beta1',
  kind: 'Identity',
  plural: 'identities',
  scope: 'Namespaced',
  shortNames: ['id'],
  description: 'Credentials that a provider gave to this cluster.',
  columns: [
    column('Type', '.spec.type'),
    column('KubeconfigSecret', '.status.kubeconfigSecretRef.name', { priority: 1 }),
    ageColumn,
  ],
  spec: object({
    optional: {
      clusterID: describe(clusterID, 'The provider.'),
      type: describe(identityType, 'For the peering protocol, or for the pods of one slice.'),
      authParams,
      namespace: string({
        description: 'The tenant namespace at the provider; for ControlPlane only.',
      }),
    },
    setOnce: ['clusterID', 'type'],
  }),
  status: object({
    optional: {
      kubeconfigSecretRef: describe(
        localObjectReference,
        'The Secret that holds the kubeconfig made of these credentials.',
      ),
      conditions: describe(
        list(condition<'Ready'>()),
        'Ready: whether the credentials can be used, and if not, why.',
      ),
    },
  }),
});

export type Identity = ObjectOf<typeof Identity>;
