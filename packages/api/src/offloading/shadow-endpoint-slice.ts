import type { ObjectOf } from '@liqo/kube';
import type { Endpoint, EndpointPort } from 'kubernetes-types/discovery/v1.d.ts';
import { nameLength } from '../bounds.ts';
import { defineResource } from '../resource.ts';
import { integer, list, object, preserved, string, stringEnum } from '../schema.ts';

/** As many as an EndpointSlice can have. */
const addresses = list(string({ maxLength: nameLength }), {
  maxItems: 100,
  'x-kubernetes-list-type': 'set',
});

const endpoint = preserved<Endpoint>(object({ required: { addresses } }));

const port = preserved<EndpointPort>(
  object({ optional: { port: integer({ format: 'int32', minimum: 0, maximum: 65535 }) } }),
);

export const ShadowEndpointSlice = defineResource({
  apiVersion: 'offloading.liqo.io/v1beta1',
  kind: 'ShadowEndpointSlice',
  plural: 'shadowendpointslices',
  scope: 'Namespaced',
  shortNames: ['shes', 'sheps', 'seps'],
  description: 'Endpoints of a consumer: from it the provider makes an EndpointSlice.',
  spec: object({
    optional: {
      template: object({
        optional: {
          addressType: stringEnum('IPv4', 'IPv6', 'FQDN'),
          endpoints: list(endpoint, { maxItems: 1_000 }),
          ports: list(port, { maxItems: 1_000 }),
        },
      }),
    },
  }),
});

export type ShadowEndpointSlice = ObjectOf<typeof ShadowEndpointSlice>;
