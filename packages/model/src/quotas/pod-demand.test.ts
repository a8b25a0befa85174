import { formatQuantity, type Pod } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { Amounts } from './amounts.ts';
import { podDemand } from './pod-demand.ts';

type Spec = NonNullable<Pod['spec']>;
type Container = Spec['containers'][number];

function texts(amounts: Amounts): Record<string, string> {
  return Object.fromEntries([...amounts].map(([name, amount]) => [name, formatQuantity(amount)]));
}

function container(name: string, requests: Record<string, string>, more: object = {}): Container {
  return { name, image: 'nginx', resources: { requests }, ...more };
}

const sidecar = { restartPolicy: 'Always' };

test.each<[string, object, Record<string, string>]>([
  ['counts a pod without requests as a pod', { containers: [container('a', {})] }, { pods: '1' }],
  [
    'adds up containers exactly',
    { containers: [container('a', { cpu: '0.1' }), container('b', { cpu: '1n', memory: '1Gi' })] },
    { cpu: '100000001n', memory: '1Gi', pods: '1' },
  ],
  [
    'takes the largest init container, however close they are',
    {
      containers: [container('a', { cpu: '100m' })],
      initContainers: [container('i', { cpu: '500m' }), container('j', { cpu: '900m' })],
    },
    { cpu: '900m', pods: '1' },
  ],
  [
    'adds sidecars to the containers, and to the init containers after them',
    {
      containers: [container('a', { cpu: '1' })],
      initContainers: [
        container('i', { cpu: '2' }),
        container('s', { cpu: '1' }, sidecar),
        container('j', { cpu: '1500m' }),
        container('t', { cpu: '250m' }, sidecar),
      ],
    },
    { cpu: '2500m', pods: '1' },
  ],
  [
    'lets the requests of the pod replace those of its containers',
    {
      containers: [container('a', { cpu: '4', 'nvidia.com/gpu': '1' })],
      resources: { requests: { cpu: '2', 'nvidia.com/gpu': '5' } },
    },
    { cpu: '2', 'nvidia.com/gpu': '1', pods: '1' },
  ],
  [
    'adds the overhead last',
    {
      containers: [container('a', { cpu: '4' })],
      resources: { requests: { cpu: '2' } },
      overhead: { cpu: '250m' },
    },
    { cpu: '2250m', pods: '1' },
  ],
  [
    'takes a limit for the request that is missing',
    { containers: [{ ...container('a', {}), resources: { limits: { cpu: '2' } } }] },
    { cpu: '2', pods: '1' },
  ],
  [
    'takes the limit of the pod where its containers request nothing',
    {
      containers: [container('a', { cpu: '500m' })],
      resources: { limits: { cpu: '2', memory: '1Gi' } },
    },
    { cpu: '500m', memory: '1Gi', pods: '1' },
  ],
  [
    'takes no resource for a property of every object',
    { containers: [container('a', JSON.parse('{"__proto__":"1"}'))] },
    JSON.parse('{"__proto__":"1","pods":"1"}'),
  ],
])('podDemand() %s', (_, spec, expected) => {
  expect(texts(podDemand({ spec: spec as Spec }))).toEqual(expected);
});

test('podDemand() counts the larger amount while a container is resized', () => {
  const spec = { containers: [container('a', { cpu: '1', memory: '2Gi' })] };
  const status = {
    containerStatuses: [
      {
        name: 'a',
        image: 'nginx',
        imageID: '',
        ready: true,
        restartCount: 0,
        resources: { requests: { cpu: '2' } },
        allocatedResources: { memory: '1Gi' },
      },
    ],
  };
  expect(texts(podDemand({ spec, status }))).toEqual({ cpu: '2', memory: '2Gi', pods: '1' });
});

test.each([
  ['an amount that is none', { cpu: 'four' }, 'Cannot read resource "cpu"'],
  ['a negative amount', { cpu: '-1' }, 'Cannot request "-1" of "cpu"'],
])('podDemand() refuses %s', (_, requests, message) => {
  const pod = { spec: { containers: [container('a', requests)] } };
  expect(() => podDemand(pod)).toThrow(expect.objectContaining({ name: 'QuantityError' }));
  expect(() => podDemand(pod)).toThrow(message);
});
