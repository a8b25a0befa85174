import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { Item } from '../store/collection.ts';
import recorded from './defaults.vectors.json' with { type: 'json' };
import { create, resourcesByName, writtenAt } from './testing/written-object.ts';

/**
 * What a kube-apiserver 1.35.4 stored of an object. What its admission plugins added (priorities, tolerations, taints,
 * finalizers) has been taken out, and what it chose by chance has been replaced by a word.
 */
interface Vector {
  readonly resource: string;
  readonly input: KubeObject;
  readonly stored: KubeObject;
}

const vectors = recorded.map((text): Vector => JSON.parse(text));
const resources = resourcesByName();

test.each(
  vectors.map((vector) => [`${vector.resource} ${vector.input.metadata?.name}`, vector] as const),
)('a new object of %s is stored as the real server stores it', (_, vector) => {
  const resource = resources.get(vector.resource);
  if (!resource) throw new Error(`There is no resource "${vector.resource}"`);
  const { item, problems } = create(resource, vector.input);
  expect(problems).toEqual([]);
  const allocated = resource.strategy.allocations?.allocate(item, undefined) ?? item;
  expect(withoutChance(allocated as Item)).toEqual(vector.stored);
});

interface ChosenSpec {
  readonly clusterIP?: string;
  readonly ports?: readonly { readonly nodePort?: number }[];
  readonly healthCheckNodePort?: number;
}

function withoutChance(item: Item): KubeObject {
  const { name, labels, annotations, generation } = item.metadata;
  const metadata = {
    name,
    ...(labels && { labels }),
    ...(annotations && { annotations }),
    ...(generation !== undefined && { generation }),
  };
  const { spec, status } = item as { spec?: ChosenSpec; status?: object };
  return {
    ...item,
    metadata,
    ...(item.kind === 'Service' && spec && { spec: withoutAllocated(spec) }),
    ...(status && { status: withoutTimes(status) }),
  };
}

function withoutAllocated(spec: ChosenSpec): object {
  const { clusterIP, ports, healthCheckNodePort } = spec;
  return {
    ...spec,
    ...(clusterIP && clusterIP !== 'None' && { clusterIP: '<ip>', clusterIPs: ['<ip>'] }),
    ...(ports && {
      ports: ports.map((port) => ({ ...port, ...(port.nodePort && { nodePort: '<port>' }) })),
    }),
    ...(healthCheckNodePort && { healthCheckNodePort: '<port>' }),
  };
}

function withoutTimes(status: object): object {
  return JSON.parse(JSON.stringify(status).replaceAll(writtenAt, '<now>'));
}
