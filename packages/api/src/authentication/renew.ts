import type { ObjectOf } from '@liqo/kube';
import { certificateRequestLength, nameLength } from '../bounds.ts';
import { clusterID } from '../core/cluster-id.ts';
import { localObjectReference } from '../embedded/local-object-reference.ts';
import { ageColumn, defineResource } from '../resource.ts';
import { bytes, describe, object, string } from '../schema.ts';
import { authParams } from './auth-params.ts';
import type { IdentityType } from './identity-type.ts';

export const Renew = defineResource({
  apiVersion: 'authentication.liqo.io/v1beta1',
  kind: 'Renew',
  plural: 'renews',
  scope: 'Namespaced',
  description: 'How a consumer gets its next certificate (status) before the current one expires.',
  columns: [ageColumn],
  spec: object({
    optional: {
      consumerClusterID: clusterID,
      identityType: string<IdentityType>({
        description: 'Which credentials to renew.',
        maxLength: nameLength,
      }),
      resourceSliceRef: describe(localObjectReference, 'The slice they belong to, if any.'),
      publicKey: bytes(undefined, { maxLength: certificateRequestLength }),
      csr: bytes(undefined, { maxLength: certificateRequestLength }),
    },
    setOnce: ['consumerClusterID', 'identityType'],
  }),
  status: object({ optional: { authParams: describe(authParams, 'The latest credentials.') } }),
});

export type Renew = ObjectOf<typeof Renew>;
