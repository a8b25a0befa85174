import { VirtualNode } from '@liqo/api';
import { expect, test } from 'vitest';
import { renderJson, renderNames, renderYaml } from './render-objects.ts';

const stored = {
  kind: 'VirtualNode',
  apiVersion: 'offloading.liqo.io/v1beta1',
  metadata: { name: 'a', managedFields: [{ manager: 'x' }] },
};

test('renderYaml() sorts keys, quotes what YAML would misread and leaves managedFields out', () => {
  const object = { ...stored, spec: { b: '2', a: 'yes', c: ['x'], d: {}, e: undefined } };
  expect(renderYaml([object, object]).split('---\n')[1]).toBe(
    `apiVersion: offloading.liqo.io/v1beta1
kind: VirtualNode
metadata:
  name: a
spec:
  a: "yes"
  b: "2"
  c:
  - x
  d: {}
`,
  );
});

test('renderJson() gives one object as itself and others as a List', () => {
  expect(JSON.parse(renderJson([stored]))).toEqual({ ...stored, metadata: { name: 'a' } });
  expect(JSON.parse(renderJson([stored, stored]))).toMatchObject({ kind: 'List' });
  expect(JSON.parse(renderJson([]))).toEqual({ apiVersion: 'v1', kind: 'List', items: [] });
  expect(JSON.parse(renderJson([stored], { isList: true })).items).toHaveLength(1);
});

test('renderNames() names kind, group and object', () => {
  expect(renderNames(VirtualNode, [stored])).toBe('virtualnode.offloading.liqo.io/a\n');
});
