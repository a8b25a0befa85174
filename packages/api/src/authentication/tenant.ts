import type { ObjectOf } from '@liqo/kube';
import { certificateRequestLength } from '../bounds.ts';
import { clusterID } from '../core/cluster-id.ts';
import { liqoCondition } from '../liqo-condition.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import { bytes, describe, list, object, string, stringEnum, withDefault } from '../schema.ts';
import { authParams } from './auth-params.ts';

/** Not of Liqo, which tells why a consumer was refused in Events only. */
const condition = liqoCondition(
  stringEnum('Authentication'),
  stringEnum('Accepted', 'Denied', 'Pending'),
);

export const Tenant = defineResource({
  apiVersion: 'authentication.liqo.io/v1beta1',
  kind: 'Tenant',
  plural: 'tenants',
  scope: 'Namespaced',
  shortNames: ['tn'],
  description: 'A consumer that this cluster lets in, and how far.',
  columns: [column('Condition', '.spec.tenantCondition'), ageColumn],
  spec: object({
    required: {
      authzPolicy: withDefault(
        describe(
          stringEnum('KeysExchange', 'TolerateNoHandshake'),
          'Whether the consumer must prove that it owns its key.',
        ),
        'KeysExchange',
      ),
      tenantCondition: withDefault(
        describe(
          stringEnum('Active', 'Cordoned', 'Drained'),
          'Cordoned gets nothing new; Drained loses all it has.',
        ),
        'Active',
      ),
    },
    optional: {
      clusterID: describe(clusterID, 'The consumer.'),
      publicKey: bytes('PEM public key of the consumer, or a bare Ed25519 key.', {
        maxLength: certificateRequestLength,
      }),
      csr: bytes('PEM certificate request of the consumer.', {
        maxLength: certificateRequestLength,
      }),
      signature: bytes('Signature of the nonce, made with the key.', {
        maxLength: certificateRequestLength,
      }),
      proxyURL: string({
        description: 'The proxy that the consumer is told to use.',
        maxLength: 2_048,
      }),
    },
    immutable: ['clusterID'],
  }),
  status: object({
    optional: {
      tenantNamespace: string({ description: 'The namespace given to the consumer.' }),
      authParams: describe(authParams, 'The credentials given to the consumer.'),
      conditions: list(condition),
    },
  }),
});

export type Tenant = ObjectOf<typeof Tenant>;
