import {
  type KubeObject,
  keyOf,
  keyString,
  labelQueryFromSelector,
  matchesLabels,
  type Stored,
} from '@liqo/kube';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import type { Informer } from './informer.ts';
import { controllerOf } from './owner-reference.ts';

export interface DependentsWatch<O extends KubeObject, D extends KubeObject> {
  readonly owners: Informer<O>;
  readonly dependents: Informer<D>;
  /** What the owner adopts; undefined for owners that adopt nothing. */
  readonly selectorOf: (owner: Stored<O>) => LabelSelector | undefined;
  readonly enqueue: (key: string) => void;
}

/** Enqueues an owner when it changes, when one of its dependents does, and when there is an orphan it may adopt. */
export function watchDependents<O extends KubeObject, D extends KubeObject>(
  watch: DependentsWatch<O, D>,
): void {
  const { owners, dependents, enqueue } = watch;
  owners.onChange((current) => current && enqueue(keyString(keyOf(current))));
  dependents.onChange((current, previous) => {
    for (const object of [current, previous]) {
      const reference = object && controllerOf(object);
      if (object && reference?.kind === owners.kind.kind) {
        enqueue(keyString({ namespace: object.metadata.namespace, name: reference.name }));
      }
    }
    if (current && !controllerOf(current)) enqueueAdopters(watch, current);
  });
}

function enqueueAdopters<O extends KubeObject, D extends KubeObject>(
  { owners, selectorOf, enqueue }: DependentsWatch<O, D>,
  orphan: Stored<D>,
): void {
  for (const owner of owners.inNamespace(orphan.metadata.namespace)) {
    const query = labelQueryFromSelector(selectorOf(owner));
    if (matchesLabels(query, orphan.metadata.labels)) enqueue(keyString(keyOf(owner)));
  }
}
