import type { JsonObject } from '@liqo/kube';
import { get } from './choose-read.ts';
import { applyPatch, jsonPatch, merge, strategicMerge } from './patch-types.ts';
import type { Step } from './program.ts';
import { applyOptions, type Scene, withMetadata, writeOptions, writesOf } from './scene.ts';

export function writeStatus(scene: Scene): Step {
  const { choice, sample, target } = scene;
  const query = writeOptions(scene);
  const status = sample.statuses.length > 0 ? choice.pick(sample.statuses) : { phase: 'none' };
  const earlier = writesOf(scene);
  const of = earlier[earlier.length - 1];
  const base = { ...target, subresource: 'status', query };
  const metadata = { labels: { app: 'by-status' } };
  const change = { status, ...(choice.chance(0.3) && { metadata }) };
  if (choice.chance(0.15)) {
    const body = withMetadata(scene, { name: target.name }, { status });
    return { ...base, method: 'PATCH', contentType: applyPatch, query: applyOptions(scene), body };
  }
  if (of === undefined || choice.chance(0.5)) {
    const body = { ...change, ...(choice.chance(0.2) && { spec: { surprise: 1 } }) };
    return { ...base, method: 'PATCH', contentType: choice.pick([merge, strategicMerge]), body };
  }
  const body = withMetadata(scene, { name: target.name }, { status });
  return { ...base, method: 'PUT', body, edit: { of, change } };
}

export function scale(scene: Scene): Step {
  const { choice, sample, target } = scene;
  if (!sample.scalable) return get(scene);
  const base = { ...target, subresource: 'scale' };
  if (choice.chance(0.3)) return { ...base, method: 'GET', query: {} };
  const replicas = choice.pick([0, 1, 4, 50, -2]);
  const write = { ...base, query: writeOptions(scene), method: 'PATCH' } as const;
  const operation = { op: 'replace', path: '/spec/replicas', value: replicas };
  return choice.weighted<() => Step>([
    [4, () => ({ ...write, contentType: merge, body: { spec: { replicas } } })],
    [2, () => ({ ...write, contentType: jsonPatch, body: [operation] })],
    [4, () => ({ ...write, method: 'PUT', body: forgeScale(scene, replicas) })],
  ])();
}

function forgeScale({ target }: Scene, replicas: number): JsonObject {
  const { name = '', namespace = '' } = target;
  const metadata = { name, namespace };
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas } };
}
