import type { CustomResourceDefinition } from '@liqo/kube';
import type { CustomResourceDefinitionStatus } from 'kubernetes-types/apiextensions/v1.d.ts';
import type { Collection } from '../store/collection.ts';
import { condition, withCondition } from './plan-definition.ts';

/** Holds a definition until all of its objects are gone. */
const cleanupFinalizer = 'customresourcecleanup.apiextensions.k8s.io';

/** Whether a definition, or a single finalizer, asks for the objects to be deleted first. */
export function hasCleanup(subject: CustomResourceDefinition | string): boolean {
  if (typeof subject === 'string') return subject === cleanupFinalizer;
  return (subject.metadata?.finalizers ?? []).includes(cleanupFinalizer);
}

/** What a deletion makes of a definition: it stays, marked, and its objects will go first. */
export function beginTermination(
  crd: CustomResourceDefinition,
  now: string,
): CustomResourceDefinition {
  const finalizers = crd.metadata?.finalizers ?? [];
  const message =
    'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon';
  return {
    ...crd,
    metadata: {
      ...crd.metadata,
      finalizers: hasCleanup(crd) ? finalizers : [...finalizers, cleanupFinalizer],
      deletionTimestamp: now,
      deletionGracePeriodSeconds: 0,
    },
    status: terminating(crd, 'InstanceDeletionPending', message, now),
  };
}

/** The same again when it is known already. */
export function deletionInProgress(
  crd: CustomResourceDefinition,
  now: string,
): CustomResourceDefinition {
  const message = 'CustomResource deletion is in progress';
  return { ...crd, status: terminating(crd, 'InstanceDeletionInProgress', message, now) };
}

function terminating(
  { status }: CustomResourceDefinition,
  reason: string,
  message: string,
  now: string,
): CustomResourceDefinitionStatus {
  const names = { plural: '', kind: '' };
  const current = status ?? { conditions: [], acceptedNames: names, storedVersions: [] };
  return withCondition(current, condition('Terminating', 'True', reason, message), now);
}

/** Objects without finalizers go at once; the others are marked, and go when the last finalizer does. */
export function deleteInstances(instances: Collection, now: string): void {
  for (const item of instances.list()) {
    const { namespace, name, finalizers = [], deletionTimestamp } = item.metadata;
    const key = namespace ? `${namespace}/${name}` : name;
    if (finalizers.length === 0) {
      instances.remove(key, item);
    } else if (!deletionTimestamp) {
      const { generation } = item.metadata;
      const metadata = {
        ...item.metadata,
        ...(generation !== undefined && { generation: generation + 1 }),
        deletionTimestamp: now,
        deletionGracePeriodSeconds: 0,
      };
      instances.put(key, item, { ...item, metadata });
    }
  }
}
