import type { JsonObject } from '@liqo/kube';
import { remembered, type Step } from './program.ts';
import { type Scene, writesOf } from './scene.ts';

export function remove(scene: Scene): Step {
  const { choice, target, steps } = scene;
  const earlier = writesOf(scene);
  const known = earlier.length > 0 ? choice.pick(earlier) : steps.length;
  const options = choice.weighted<JsonObject>([
    [5, {}],
    [1, { propagationPolicy: choice.pick(['Foreground', 'Background', 'Orphan', 'Whatever']) }],
    [1, { gracePeriodSeconds: choice.pick([0, 1, 30, -5]) }],
    [1, { preconditions: { uid: remembered(known, 'uid') } }],
    [1, { preconditions: { resourceVersion: remembered(known, 'version') } }],
    [1, { preconditions: { uid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' } }],
    [1, { dryRun: ['All'] }],
  ]);
  return { ...target, method: 'DELETE', query: {}, body: deleteOptions(options) };
}

export function removeCollection(scene: Scene): Step {
  const { choice, target, sample } = scene;
  // Namespaces are deleted one by one: those of other programs are in the same collection.
  if (!sample.kind.namespaced) return remove(scene);
  const query: Step['query'] = choice.chance(0.7)
    ? { labelSelector: choice.pick(['app=web', 'tier', 'app notin (web)']) }
    : {};
  const options: JsonObject = choice.chance(0.2) ? { dryRun: ['All'] } : {};
  return { ...target, name: undefined, method: 'DELETE', query, body: deleteOptions(options) };
}

function deleteOptions(options: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...options };
}
