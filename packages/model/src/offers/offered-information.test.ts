import { Advertisement, violationsOfKnown } from '@liqo/api';
import type { Node, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import {
  offeredImages,
  offeredInformation,
  offeredNeighbors,
  offeredPrices,
} from './offered-information.ts';

type Images = NonNullable<NonNullable<Node['status']>['images']>;

function nodeWith(name: string, images: Images, marks: Record<string, string> = {}): Stored<Node> {
  const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '', labels: marks };
  return { metadata, status: { images, allocatable: { cpu: '4' } } } as unknown as Stored<Node>;
}

const virtual = (name: string, provider: string) =>
  nodeWith(name, [], { 'liqo.io/type': 'virtual-node', 'liqo.io/remote-cluster-id': provider });

describe('offeredImages()', () => {
  test('names each image once, the large ones first, and none of Kubernetes', () => {
    const one = nodeWith('one', [
      { names: ['nginx:1'], sizeBytes: 10 },
      { names: ['registry.k8s.io/pause'], sizeBytes: 99 },
      { names: ['model@sha256:x', 'model:1'], sizeBytes: 50 },
    ]);
    const two = nodeWith('two', [{ names: ['nginx:1'], sizeBytes: 10 }, { names: ['a'] }]);
    expect(offeredImages([one, two])).toEqual([
      { names: ['model@sha256:x', 'model:1'], sizeBytes: 50 },
      { names: ['nginx:1'], sizeBytes: 10 },
      { names: ['a'] },
    ]);
  });

  test('is the same in whatever order the nodes are listed', () => {
    const one = nodeWith('one', [{ names: ['b'], sizeBytes: 1 }]);
    const two = nodeWith('two', [{ names: ['a'], sizeBytes: 1 }]);
    expect(offeredImages([one, two])).toEqual(offeredImages([two, one]));
  });
});

test('offeredNeighbors() leaves out physical nodes and those of the consumer', () => {
  const nodes = [nodeWith('worker', []), virtual('liqo-rome', 'rome'), virtual('lyon', 'lyon')];
  expect(offeredNeighbors(nodes, 'rome')).toEqual({ lyon: { cpu: '4' } });
});

test('offeredPrices() has one for each image', () => {
  expect(offeredPrices([{ names: ['a', 'b'] }])).toEqual({
    cpu: '1',
    memory: '2m',
    a: '5',
    b: '5',
  });
});

test('offeredInformation() of a large cluster fits the kind', () => {
  const long = (n: number) => `registry.example/${n}/`.padEnd(300, 'x');
  const images = Array.from({ length: 900 }, (_, n) => ({
    names: Array.from({ length: 30 }, (_, m) => `${long(n)}${m}`),
    sizeBytes: n,
  }));
  const many = Array.from({ length: 150 }, (_, n) => virtual(`node-${n}`, `p${n}`));
  const usable = [nodeWith('worker', [...images, { names: [long(0).repeat(3)] }])];
  const spec = offeredInformation('rome', { usable, all: [...usable, ...many] });
  expect(Object.keys(spec.neighbors ?? {})).toHaveLength(100);
  expect(JSON.stringify(spec).length).toBeLessThan(100_000);
  const { properties = {} } = Advertisement.definition.spec;
  const known = { type: 'object' as const, properties };
  expect(violationsOfKnown(known, spec)).toEqual([]);
});
