import type { JsonObject } from '@liqo/kube';
import { chooseMetadataChange } from './choose-metadata.ts';
import { applyPatch, jsonPatch, merge, strategicMerge } from './patch-types.ts';
import type { Step } from './program.ts';
import {
  applyOptions,
  asObject,
  type Scene,
  withMetadata,
  writeOptions,
  writesOf,
} from './scene.ts';

export function create(scene: Scene): Step {
  const { choice, target, steps } = scene;
  const generated = target.namespace !== undefined && choice.chance(0.15);
  const invalid = choice.chance(0.04);
  const naming = generated
    ? { generateName: `g${steps.length}-` }
    : { name: invalid ? choice.pick(['Not_Valid', '-x', 'a..b']) : target.name };
  return {
    ...target,
    name: undefined,
    method: 'POST',
    query: writeOptions(scene),
    body: withMetadata(
      { ...scene, target: { ...target, name: undefined } },
      naming,
      choice.pick(scene.sample.contents),
    ),
  };
}

export function update(scene: Scene): Step {
  const { choice, target, sample } = scene;
  const base = { ...target, method: 'PUT', query: writeOptions(scene) } as const;
  const body = withMetadata(scene, { name: target.name }, choice.pick(sample.contents));
  const earlier = writesOf(scene);
  if (earlier.length === 0 || choice.chance(0.15)) return { ...base, body };
  const of = choice.chance(0.7) ? earlier[earlier.length - 1] : choice.pick(earlier);
  const unversioned = choice.chance(0.3) ? { metadata: { resourceVersion: null } } : {};
  const change = chooseChange(scene);
  const metadata = { ...asObject(change.metadata), ...unversioned.metadata };
  return { ...base, body, edit: { of: of ?? 0, change: { ...change, metadata } } };
}

export function patch(scene: Scene): Step {
  const { choice, sample, target } = scene;
  const base = { ...target, method: 'PATCH', query: writeOptions(scene) } as const;
  return choice.weighted<() => Step>([
    [4, () => ({ ...base, contentType: merge, body: chooseChange(scene) })],
    [3, () => ({ ...base, contentType: jsonPatch, body: chooseOperations(scene) })],
    [3, () => ({ ...base, contentType: strategicMerge, body: choice.pick(sample.strategic) })],
  ])();
}

export function apply(scene: Scene): Step {
  const { choice, target, sample } = scene;
  return {
    ...target,
    method: 'PATCH',
    contentType: applyPatch,
    query: applyOptions(scene),
    body: withMetadata(scene, { name: target.name }, choice.pick(sample.contents)),
  };
}

function chooseChange(scene: Scene): JsonObject {
  const { choice, sample, steps } = scene;
  if (choice.chance(0.1)) return {};
  return choice.chance(0.45)
    ? { metadata: chooseMetadataChange(choice, steps.length) }
    : choice.pick(sample.changes);
}

function chooseOperations({ choice, sample }: Scene): readonly JsonObject[] {
  const labelled = [{ op: 'add', path: '/metadata/labels/app', value: 'patched' }];
  const operations = choice.chance(0.2) ? labelled : choice.pick(sample.operations);
  return operations.map((operation) => ({ ...operation }) as JsonObject);
}
