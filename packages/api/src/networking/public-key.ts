import type { ObjectOf } from '@liqo/kube';
import { defineResource } from '../resource.ts';
import { bytes, object } from '../schema.ts';

export const PublicKey = defineResource({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'PublicKey',
  // No slip of ours: this is the name on the wire, and peers ask for it.
  plural: 'publickeies',
  scope: 'Namespaced',
  shortNames: ['pk', 'pkies', 'pkey'],
  description: 'The key by which the gateway of a peer is known.',
  spec: object({ optional: { publicKey: bytes() } }),
});

export type PublicKey = ObjectOf<typeof PublicKey>;
