import { Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import type { Item } from '../store/collection.ts';
import { buildResource, defineResource, partOf } from './define-resource.ts';

const definition = defineResource<Pod>({
  kind: Pod,
  subresources: {
    exec: { kind: 'PodExecOptions', group: '', version: 'v1', verbs: ['create'] },
    log: partOf(Pod, ['get']),
    status: partOf(Pod),
  },
  freshStatus: { phase: 'Pending' },
});

test('defineResource() names things after the kind and allows everything that is not said otherwise', () => {
  expect(definition).toMatchObject({
    plural: 'pods',
    singular: 'pod',
    listKind: 'PodList',
    shortNames: [],
    categories: [],
  });
  expect(definition.verbs).toContain('deletecollection');
});

test('buildResource() serves only the subresources that are handled, and the status', () => {
  const handle = async () => ({ status: 200 });
  const resource = buildResource(definition, builtInSchemas(), { 'pods/log': handle });
  expect([...resource.subresources.keys()]).toEqual(['log', 'status']);
  expect(resource.subresources.get('log')).toEqual({ ...partOf(Pod, ['get']), handle });
});

test('buildResource() refuses a kind that nobody has described', () => {
  const strange = { ...definition, kind: 'Nothing' };
  expect(() => buildResource(strange, builtInSchemas(), {})).toThrow(
    'Cannot serve "pods": no schema of kind "Nothing"',
  );
});

const previous = {
  metadata: { name: 'a', uid: 'u', creationTimestamp: 'then', resourceVersion: '1' },
  spec: { containers: [], nodeName: 'old' },
  status: { phase: 'Running' },
} as unknown as Item;

const next: Pod = {
  metadata: { name: 'a', labels: { a: 'b' } },
  spec: { containers: [], nodeName: 'new' },
  status: { phase: 'Failed' },
};

test('defineResource() gives a new object the status of new objects', () => {
  expect(definition.strategy.onCreate?.(next)).toMatchObject({ status: { phase: 'Pending' } });
});

test('defineResource() keeps the status when the object is updated', () => {
  expect(definition.strategy.onUpdate?.(next, previous)).toMatchObject({
    spec: { nodeName: 'new' },
    status: { phase: 'Running' },
  });
});

test('defineResource() keeps everything but metadata when the status is updated', () => {
  expect(definition.strategy.onStatusUpdate?.(next, previous)).toEqual({
    metadata: { name: 'a', labels: { a: 'b' }, uid: 'u', creationTimestamp: 'then' },
    spec: { containers: [], nodeName: 'old' },
    status: { phase: 'Failed' },
  });
});
