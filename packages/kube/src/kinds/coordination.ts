import type * as coordination from 'kubernetes-types/coordination/v1.d.ts';
import { defineKind } from '../kind.ts';

export type Lease = coordination.Lease;
export const Lease = defineKind<Lease>({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  plural: 'leases',
  scope: 'Namespaced',
});
