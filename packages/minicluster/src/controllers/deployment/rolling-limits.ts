import type { Deployment } from '@liqo/kube';
import { resolveIntOrPercent } from '../int-or-percent.ts';

interface RollingLimits {
  readonly surge: number;
  readonly unavailable: number;
}

/** How far a rolling update may stray from the wanted number of replicas. One of the two is never zero. */
function rollingLimits(deployment: Deployment): RollingLimits {
  const { replicas = 1, strategy } = deployment.spec ?? {};
  if (strategy?.type === 'Recreate') return { surge: 0, unavailable: 0 };
  const { maxSurge: surgeField, maxUnavailable: unavailableField } = strategy?.rollingUpdate ?? {};
  const surge = resolveIntOrPercent(surgeField, replicas, 'up');
  const unavailable = resolveIntOrPercent(unavailableField, replicas, 'down');
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

export function maxSurge(deployment: Deployment): number {
  return rollingLimits(deployment).surge;
}

export function maxUnavailable(deployment: Deployment): number {
  const { replicas = 1 } = deployment.spec ?? {};
  return Math.min(rollingLimits(deployment).unavailable, replicas);
}
