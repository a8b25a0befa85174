import type { ShadowPod } from '@liqo/api';
import { findCondition, type Pod, type Stored, setCondition } from '@liqo/kube';
import { denialOf } from '../shadow-pods/denied-change.ts';
import type { PodCondition } from './pod-status.ts';

export interface ResizeFacts {
  readonly local: Stored<Pod>;
  readonly shadowPod: Stored<ShadowPod> | undefined;
  readonly now: string;
}

/**
 * The condition of a pod whose resize the provider’s API server denied: no kubelet knows of such a resize, so the condition
 * is not among those of the provider’s pod. Undefined where no resize was denied.
 */
export function deniedResize({ local, shadowPod, now }: ResizeFacts): PodCondition | undefined {
  const message = denialOf(shadowPod?.status, 'resize');
  if (message === undefined) return undefined;
  const type = 'PodResizePending';
  const old = findCondition(local.status?.conditions, type);
  const condition = { type, status: 'True' as const, reason: 'Infeasible', message };
  return setCondition<PodCondition>(old ? [old] : [], condition, now)[0];
}
