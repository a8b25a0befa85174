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
    ...(choice.chance(0.1) && step > 0 && { ownerReferences: chooseOwners(choice, step) }),
  };
}

/**
 * Where an object says it is: seldom nothing, or something else than its path. `named` is the name in the path; where
 * it has none, another name would be another object, and no name a fault that a real server tells of in several ways.
 */
export function chooseAddress(
  choice: Choice,
  address: { readonly namespace?: string | undefined; readonly name?: string | undefined },
  named: string | undefined,
): object {
  const { namespace: _, ...placeless } = address;
  const { name: __, ...nameless } = address;
  const isNamed = named !== undefined;
  return choice.weighted<object>([
    [90, address],
    [5, placeless],
    [2, { ...address, namespace: 'elsewhere' }],
    [isNamed ? 1 : 0, nameless],
    [isNamed ? 2 : 0, { ...address, name: 'other' }],
  ]);
}

/** A merge patch of the metadata: not always one that a server accepts. */
export function chooseMetadataChange(choice: Choice, step: number): JsonObject {
  return choice.weighted<JsonObject>([
    [4, { labels: chooseLabels(choice) }],
    [2, { labels: { app: null } }],
    [2, { annotations: { note: choice.pick(['three', null]) } }],
    [2, { finalizers: choice.pick([[hold], [`${hold}-more`]]) }],
    [3, { finalizers: null }],
    [1, { ownerReferences: step > 0 ? chooseOwners(choice, step) : null }],
    [1, { labels: { 'bad key!': 'x' } }],
    [1, { name: choice.pick(['renamed', null]) }],
    [1, { namespace: choice.pick(['elsewhere', null]) }],
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

/** Mostly one; the same one twice, or two that both want to be the controller. */
function chooseOwners(choice: Choice, step: number): readonly JsonObject[] {
  const owner = chooseOwner(choice, step);
  return choice.weighted<readonly JsonObject[]>([
    [6, [owner]],
    [1, [owner, owner]],
    [1, [owner, chooseOwner(choice, step)]],
  ]);
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
