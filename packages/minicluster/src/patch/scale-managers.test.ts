import type { KubeObject } from '@liqo/kube';
import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.d.ts';
import { expect, test } from 'vitest';
import { recordScaling } from './scale-managers.ts';

const time = '2030-01-01T00:00:00Z';
const replicas = { 'f:spec': { 'f:replicas': {} } };
const paused = { 'f:spec': { 'f:paused': {} } };
const both = { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } };
const byBob = { manager: 'bob', apiVersion: 'apps/v1', path: ['spec', 'replicas'] };

function entry(manager: string, fieldsV1: object, more: object = { time }): ManagedFieldsEntry {
  const apiVersion = 'apps/v1';
  return { manager, operation: 'Update', apiVersion, fieldsType: 'FieldsV1', fieldsV1, ...more };
}

function applied(manager: string, fieldsV1: object): ManagedFieldsEntry {
  return entry(manager, fieldsV1, { operation: 'Apply', time });
}

function managersAfter(
  managedFields: ManagedFieldsEntry[],
  change: { readonly before: number; readonly after: number },
): KubeObject['metadata'] {
  return recordScaling({ metadata: { name: 'x', managedFields } }, { ...byBob, ...change })
    .metadata;
}

const scaledByBob = entry('bob', replicas, { subresource: 'scale' });

test('recordScaling() gives the number to whoever scales, and takes it from the others', () => {
  const change = { before: 1, after: 5 };
  expect(managersAfter([applied('ada', both), entry('eve', replicas)], change)).toEqual({
    name: 'x',
    managedFields: [applied('ada', paused), scaledByBob],
  });
});

test('recordScaling() gives the number to nobody as long as nobody has it', () => {
  const managedFields = [applied('ada', paused)];
  const change = { before: 1, after: 5 };
  expect(managersAfter(managedFields, change)).toEqual({ name: 'x', managedFields });
  expect(managersAfter([], change)).toEqual({ name: 'x', managedFields: [] });
});

test('recordScaling() to none takes the number from everybody', () => {
  const before = [applied('ada', both), scaledByBob];
  expect(managersAfter(before, { before: 5, after: 0 })).toEqual({
    name: 'x',
    managedFields: [applied('ada', paused)],
  });
});

test('recordScaling() to the same number leaves appliers as they are and lists updaters apart', () => {
  const before = [applied('ada', both), entry('eve', both)];
  expect(managersAfter(before, { before: 5, after: 5 })).toEqual({
    name: 'x',
    managedFields: [applied('ada', both), entry('eve', replicas, {}), entry('eve', paused)],
  });
});
