import type * as scheduling from 'kubernetes-types/scheduling/v1.d.ts';
import { defineKind } from '../kind.ts';

export type PriorityClass = scheduling.PriorityClass;
export const PriorityClass = defineKind<PriorityClass>({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  scope: 'Cluster',
});
