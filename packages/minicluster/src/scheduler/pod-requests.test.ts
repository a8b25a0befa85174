import { expect, test } from 'vitest';
import { podRequests, scoredRequests } from './pod-requests.ts';
import { pod, requesting } from './testing/forge.ts';

const sidecar = { name: 's', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } };

test.each([
  ['adds containers', { containers: requesting({ cpu: '1' }, { cpu: '500m' }) }, 1500],
  [
    'takes the largest init container when that is more',
    {
      containers: requesting({ cpu: '1' }),
      initContainers: requesting({ cpu: '3' }, { cpu: '2' }),
    },
    3000,
  ],
  [
    'adds sidecars to the containers',
    { containers: requesting({ cpu: '1' }), initContainers: [sidecar] },
    2000,
  ],
  [
    'adds earlier sidecars to an init container',
    { containers: requesting({}), initContainers: [sidecar, ...requesting({ cpu: '2' })] },
    3000,
  ],
  [
    'does not add later sidecars to an init container',
    { containers: requesting({}), initContainers: [...requesting({ cpu: '2' }), sidecar] },
    2000,
  ],
  ['adds the overhead', { containers: requesting({ cpu: '1' }), overhead: { cpu: '250m' } }, 1250],
])('podRequests() %s', (_, spec, cpu) => {
  expect(podRequests(pod('p', spec).pod).get('cpu')).toBe(cpu);
});

test('scoredRequests() assumes something for containers that do not say', () => {
  const requests = scoredRequests(pod('p', { containers: requesting({}, { cpu: '1' }) }).pod);
  expect(requests.get('cpu')).toBe(1100);
  expect(requests.get('memory')).toBe(2 * 200 * 1024 * 1024);
});
