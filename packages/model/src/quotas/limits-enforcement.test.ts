import { expect, test } from 'vitest';
import { missingLimits } from './limits-enforcement.ts';

const both = { cpu: '1', memory: '1Gi' };
const equal = { requests: both, limits: { cpu: '1000m', memory: '1Gi' } };

type Resources = { requests?: Record<string, string>; limits?: Record<string, string> };

function spec(resources: Resources, init?: Resources, ofPod?: Resources) {
  return {
    containers: [{ name: 'web', image: 'nginx', resources }],
    ...(init && { initContainers: [{ name: 'init', image: 'nginx', resources: init }] }),
    ...(ofPod && { resources: ofPod }),
  };
}

test.each([
  ['None', spec({}), undefined],
  ['Soft', spec({ requests: both }, { requests: both }), undefined],
  ['Soft', spec({ requests: { cpu: '1' } }), 'container "web" does not request memory'],
  ['Soft', spec({ requests: both }, {}), 'container "init" does not request cpu'],
  ['Soft', spec({ limits: both }), undefined],
  ['Soft', spec({}, undefined, { requests: both }), undefined],
  ['Hard', spec(equal, equal), undefined],
  ['Hard', spec({}), 'container "web" does not request cpu'],
  ['Hard', spec({ requests: both }), 'container "web" has another limit of cpu than it requests'],
  [
    'Hard',
    spec({ requests: both, limits: { cpu: '1', memory: '2Gi' } }),
    'container "web" has another limit of memory than it requests',
  ],
  [
    'Hard',
    spec(equal, { requests: { ...both, 'nvidia.com/gpu': '1' }, limits: both }),
    'container "init" has another limit of nvidia.com/gpu than it requests',
  ],
  ['Hard', spec({}, undefined, equal), undefined],
  [
    'Hard',
    spec({}, undefined, { requests: both, limits: { cpu: '1', memory: '2Gi' } }),
    'the pod has another limit of memory than it requests',
  ],
] as const)('missingLimits() under %s, of %j', (enforcement, pod, expected) => {
  expect(missingLimits(pod, enforcement)).toBe(expected);
});
