import { findCondition, type KubeObject } from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';

interface Judged extends KubeObject {
  readonly status?: object;
}

interface JudgedCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

interface Statuses {
  readonly type: string;
  readonly good: string;
  readonly refused: string;
}

/**
 * What a condition says against an object; undefined if it says nothing against it. A genuine Liqo writes none on a Tenant or
 * an Identity, and says in Events alone what it refuses.
 */
export function notYetReady(
  { metadata, status = {} }: Judged,
  { type, good, refused }: Statuses,
): Look<never> | undefined {
  const conditions: unknown = 'conditions' in status ? status.conditions : [];
  const found = findCondition(conditions as readonly JudgedCondition[], type);
  if (!found) return undefined;
  const generation = metadata?.generation ?? 0;
  if ((found.observedGeneration ?? generation) < generation) return unseen;
  if (found.status === good) return undefined;
  const why = found.message || found.reason || `the condition ${type} is ${found.status}`;
  return { notYet: why, isRefusal: found.status === refused };
}

export const unseen: Look<never> = { notYet: 'its controller has not looked at it yet' };
