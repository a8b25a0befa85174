import { expect, test } from 'vitest';
import type { Resource } from '../rest/resource.ts';
import { create, resourcesByName } from './testing/written-object.ts';

const resources = [...resourcesByName()];

function namesWhere(holds: (resource: Resource) => boolean | undefined): string[] {
  const found = resources.filter(([, resource]) => holds(resource));
  return found.map(([name]) => name).sort();
}

test('builtInResources() select objects by these fields alone, besides their names', () => {
  const fields = resources
    .map(([name, { selectableFields }]) => [name, Object.keys(selectableFields).sort()] as const)
    .filter(([, names]) => names.length > 0);
  const about = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];
  expect(Object.fromEntries(fields)).toEqual({
    events: [
      ...about.map((field) => `involvedObject.${field}`),
      'reason',
      'reportingComponent',
      'source',
      'type',
    ],
    'events.events.k8s.io': [
      'reason',
      ...about.map((field) => `regarding.${field}`),
      'reportingController',
      'type',
    ],
    namespaces: ['status.phase'],
    nodes: ['spec.unschedulable'],
    pods: [
      'spec.host',
      'spec.hostNetwork',
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.nominatedNodeName',
      'status.phase',
      'status.podIP',
      'status.podIPs',
    ],
    replicationcontrollers: ['status.replicas'],
    secrets: ['type'],
    services: ['spec.clusterIP', 'spec.type'],
    'jobs.batch': ['status.successful'],
    'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  });
});

test('builtInResources() scale what has a scale, and nothing else', () => {
  const scaled = [
    'deployments.apps',
    'replicasets.apps',
    'replicationcontrollers',
    'statefulsets.apps',
  ];
  expect(namesWhere(({ subresources }) => subresources.has('scale'))).toEqual(scaled);
  expect(namesWhere(({ scale }) => scale !== undefined)).toEqual(scaled);
});

test('builtInResources() scale a deployment by its replicas and find its pods by its selector', () => {
  const resource = resourcesByName().get('deployments.apps');
  if (!resource?.scale) throw new Error('Cannot test deployments: they have no scale');
  const selector = {
    matchLabels: { c: 'z', a: '1' },
    matchExpressions: [{ key: 'b', operator: 'In', values: ['y', 'x'] }],
  };
  const deployment = { metadata: { name: 'a' }, spec: { selector, replicas: 3 } };
  const { item } = create(resource, deployment);
  expect(resource.scale.specReplicas(item)).toBe(3);
  expect(resource.scale.statusReplicas(item)).toBe(0);
  expect(resource.scale.selector(item)).toBe('a=1,b in (x,y),c=z');
  expect(resource.scale.withReplicas(item, 5)).toMatchObject({ spec: { replicas: 5, selector } });
});

test('builtInResources() do not serve subresources and reviews that nobody answers', () => {
  expect(namesWhere(({ subresources }) => subresources.has('exec'))).toEqual([]);
  expect(namesWhere(({ verbs }) => !verbs.includes('get'))).toEqual([]);
});
