import { expect, test } from 'vitest';
import { followPodSpec, followResources } from './follow-pod-spec.ts';

const current = {
  containers: [
    {
      name: 'web',
      image: 'nginx:1',
      resources: { requests: { cpu: '500m' }, limits: { cpu: '1' } },
    },
    { name: 'log', image: 'log:1' },
  ],
  initContainers: [{ name: 'init', image: 'init:1' }],
  tolerations: [{ key: 'a', tolerationSeconds: 300 }],
};

test('followPodSpec() takes images by the name of the container', () => {
  const wanted = {
    containers: [
      { name: 'log', image: 'log:2' },
      { name: 'web', image: 'nginx:1' },
    ],
    initContainers: [{ name: 'init', image: 'init:2' }],
  };
  expect(followPodSpec(current, wanted)).toEqual({
    ...current,
    containers: [current.containers[0], { name: 'log', image: 'log:2' }],
    initContainers: [{ name: 'init', image: 'init:2' }],
  });
});

test('followPodSpec() takes a deadline, and keeps one that is not mentioned', () => {
  const timed = followPodSpec(current, { ...current, activeDeadlineSeconds: 60 });
  expect(timed.activeDeadlineSeconds).toBe(60);
  expect(followPodSpec(timed, current)).toBe(timed);
});

test('followPodSpec() gains tolerations and changes their seconds, but loses none', () => {
  const wanted = { ...current, tolerations: [{ key: 'b' }, { key: 'a', tolerationSeconds: 5 }] };
  const followed = followPodSpec(current, wanted);
  expect(followed.tolerations).toEqual([{ key: 'a', tolerationSeconds: 5 }, { key: 'b' }]);
  expect(followPodSpec(followed, { ...current, tolerations: [] })).toBe(followed);
});

test('followPodSpec() looks at nothing else', () => {
  const wanted = {
    ...current,
    hostname: 'other',
    containers: [{ ...current.containers[0], name: 'web', command: ['x'] }],
  };
  expect(followPodSpec(current, wanted)).toBe(current);
});

test('followResources() takes the amounts that changed, of containers and of the pod', () => {
  const wanted = {
    ...current,
    containers: [{ name: 'web', resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }],
    resources: { limits: { memory: '1Gi' } },
  };
  const followed = followResources(current, wanted);
  expect(followed.containers[0]?.resources).toEqual(wanted.containers[0]?.resources);
  expect(followed.resources).toEqual({ limits: { memory: '1Gi' } });
});

test.each([
  ['the same amounts, spelled differently', { requests: { cpu: '0.5' }, limits: { cpu: '1000m' } }],
  ['amounts that are not mentioned', { requests: { cpu: '500m' } }],
  ['empty resources', {}],
  ['no resources at all', undefined],
])('followResources() leaves the spec alone for %s', (_, resources) => {
  const wanted = { containers: [{ name: 'web', ...(resources && { resources }) }] };
  expect(followResources(current, wanted)).toBe(current);
});

test('followResources() takes the amounts of a sidecar, and of no other init container', () => {
  const resources = { requests: { cpu: '1' } };
  const initContainers = [
    { name: 'proxy', restartPolicy: 'Always', resources: { requests: { cpu: '500m' } } },
    { name: 'init' },
  ];
  const wanted = {
    containers: [],
    initContainers: [
      { name: 'proxy', resources },
      { name: 'init', resources },
    ],
  };
  expect(followResources({ containers: [], initContainers }, wanted)).toEqual({
    containers: [],
    initContainers: [{ name: 'proxy', restartPolicy: 'Always', resources }, { name: 'init' }],
  });
});
