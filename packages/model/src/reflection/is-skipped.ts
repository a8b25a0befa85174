import { annotations } from '@liqo/api';
import { type KubeObject, ownMember } from '@liqo/kube';
import type { ReflectionPolicy } from './reflection-route.ts';

/** Whether the policy and the annotations of an object keep it in the consumer's cluster. */
export function isSkipped(object: KubeObject, policy: ReflectionPolicy): boolean {
  if (policy === 'AllowList') return !says(object, annotations.allowReflection);
  return says(object, annotations.skipReflection);
}

/** The same for what every offloaded namespace needs: only an annotation of its own keeps it, whatever the policy. */
export function isSkippedExplicitly(object: KubeObject): boolean {
  const allowed = textOf(object, annotations.allowReflection);
  return says(object, annotations.skipReflection) || isFalse(allowed);
}

function says(object: KubeObject, annotation: string): boolean {
  const value = textOf(object, annotation);
  return value !== undefined && !isFalse(value);
}

function isFalse(value: string | undefined): boolean {
  return value?.toLowerCase() === 'false';
}

function textOf({ metadata }: KubeObject, annotation: string): string | undefined {
  return ownMember(metadata?.annotations, annotation);
}
