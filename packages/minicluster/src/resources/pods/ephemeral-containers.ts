import { deepEqual, type Pod, type Stored } from '@liqo/kube';
import type { PartStrategy } from '../../rest/resource.ts';
import { type FieldProblem, forbidden } from '../validation/field-problem.ts';
import { isStatic, withSpec } from './pod-part.ts';
import { validatePod } from './validate-pod.ts';

/** `pods/ephemeralcontainers`: containers that come to look at a running pod. They come and never go. */
export const ephemeralContainers: PartStrategy = {
  onUpdate: (next, previous) => takeEphemeral(next as Pod, previous as Stored<Pod>),
  validateUpdate: (next, previous) => validateAdded(next as Pod, previous as Stored<Pod>),
};

function takeEphemeral(next: Pod, previous: Stored<Pod>): Pod {
  const { ephemeralContainers: _, ...spec } = previous.spec ?? { containers: [] };
  const added = next.spec?.ephemeralContainers;
  return withSpec({ ...spec, ...(added && { ephemeralContainers: added }) }, next, previous);
}

function validateAdded(next: Pod, previous: Stored<Pod>): FieldProblem[] {
  if (isStatic(previous)) return [forbidden('', 'static pods do not support ephemeral containers')];
  const field = 'spec.ephemeralContainers';
  const { ephemeralContainers: now = [] } = next.spec ?? {};
  const changes = (previous.spec?.ephemeralContainers ?? []).flatMap((old) => {
    const kept = now.find(({ name }) => name === old.name);
    if (kept && deepEqual(kept, old)) return [];
    const fate = kept ? 'changed' : 'removed';
    const rule = `existing ephemeral containers "${old.name}" may not be ${fate}\n`;
    return [forbidden(field, rule)];
  });
  return [...validatePod(next), ...changes];
}
