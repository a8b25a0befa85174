import type * as discovery from 'kubernetes-types/discovery/v1.d.ts';
import { defineKind } from '../kind.ts';

export type EndpointSlice = discovery.EndpointSlice;
export const EndpointSlice = defineKind<EndpointSlice>({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  scope: 'Namespaced',
});
