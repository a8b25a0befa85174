import type { KubeObject, PodDisruptionBudget } from '@liqo/kube';
import { when } from './chart/when.ts';
import { componentSelector } from './component-labels.ts';
import type { Values } from './values.ts';

/** Drained nodes give up one pod of each component at a time. A component with one pod keeps no node from being drained. */
export function forgeDisruptionBudgets(values: Values): readonly KubeObject[] {
  const budgets = (['controller-manager', 'webhook'] as const).map((component) => {
    const budget: PodDisruptionBudget = {
      metadata: { name: `liqo-${component}`, namespace: values.namespace },
      spec: {
        maxUnavailable: 1,
        selector: { matchLabels: componentSelector(values, component) },
      },
    };
    return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', ...budget };
  });
  return when(values.disruptionBudgets.enabled, budgets);
}
