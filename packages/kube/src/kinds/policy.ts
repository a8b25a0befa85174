import type * as policy from 'kubernetes-types/policy/v1.d.ts';
import { defineKind } from '../kind.ts';

export type PodDisruptionBudget = policy.PodDisruptionBudget;
export const PodDisruptionBudget = defineKind<PodDisruptionBudget>({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  plural: 'poddisruptionbudgets',
  scope: 'Namespaced',
});
