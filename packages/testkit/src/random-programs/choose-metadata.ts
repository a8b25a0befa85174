import type { JsonObject } from '@liqo/kube';
import type { Choice } from './choice.ts';
import { remembered } from './program.ts';

const hold = 'compare.example/hold';

/** Labels, annotations, finalizers and owners of a new object at a step of a program. */
export function chooseMetadata(choice: Choice, step: number): JsonObject {
  return {
    ...(choice.chance(0.5) && { labels: chooseLabels(choice) }),
    ...(choice.chance(0.2) && { annotations: { note: choice.pick(['one', 'two']) } }),
    ...(choice.chance(0.12) && {
      finalizers: choice.pick([[hold], [hold, `${hold}-more`], ['bad']]),
    }),
    ...(choice.chance(0.1) && step > 0 && { ownerReferences: [chooseOwner(choice, step)] }),
  };
}

/** A merge patch of the metadata: not always one that a server accepts. */
export function chooseMetadataChange(choice: Choice, step: number): JsonObject {
  return choice.weighted<JsonObject>([
    [4, { labels: chooseLabels(choice) }],
    [2, { labels: { app: null } }],
    [2, { annotations: { note: choice.pick(['three', null]) } }],
    [2, { finalizers: choice.pick([[hold], [`${hold}-more`]]) }],
    [3, { finalizers: null }],
    [1, { ownerReferences: step > 0 ? [chooseOwner(choice, step)] : null }],
    [1, { labels: { 'bad key!': 'x' } }],
    [1, { name: 'renamed' }],
    [1, { uid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' }],
    [1, { generation: 77 }],
    [1, { resourceVersion: choice.pick(['1', 'old', '']) }],
    [1, { managedFields: choice.pick([[], [{}]]) }],
  ]);
}

function chooseLabels(choice: Choice): JsonObject {
  return {
    app: choice.pick(['web', 'db']),
    ...(choice.chance(0.4) && { tier: choice.pick(['a', 'b', 'c']) }),
  };
}

function chooseOwner(choice: Choice, step: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: 'owner',
    uid: remembered(choice.between(0, step - 1), 'uid'),
    ...(choice.chance(0.3) && { controller: true }),
    ...(choice.chance(0.3) && { blockOwnerDeletion: true }),
  };
}
