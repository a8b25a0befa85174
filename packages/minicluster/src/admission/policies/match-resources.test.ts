import type { KubeObject } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { builtInResources } from '../../resources/built-in.ts';
import { Registry } from '../../rest/registry.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';
import { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { matchResources } from './match-resources.ts';
import type { MatchResources, NamedRule } from './policy-spec.ts';

const registry = new Registry();
const resources = builtInResources({ clock: new VirtualClock(), random: seededRandom(1) });
for (const resource of resources) registry.add(resource);
const resourceOf = (group: string, plural: string) =>
  registry.find(group, 'v1', plural) as Resource;

const store = new Store();
const shop = { metadata: { name: 'shop', labels: { tier: 'gold' } } };
store.collection('namespaces').put('shop', undefined, shop as KubeObject);

const attributes: AdmissionAttributes = {
  operation: 'CREATE',
  resource: resourceOf('', 'pods'),
  subresource: '',
  namespace: 'shop',
  name: 'web',
  object: { metadata: { namespace: 'shop', name: 'web', labels: { app: 'web' } } },
  previous: undefined,
  options: {},
  dryRun: false,
  user: { name: 'alice', groups: [], extra: {} },
  signal: new AbortController().signal,
  warn: () => undefined,
};
const rule: NamedRule = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['pods'],
};
const tier = (value: string) => ({ matchLabels: { tier: value } });
const app = (value: string) => ({ matchLabels: { app: value } });
const nodes = { resource: resourceOf('', 'nodes'), namespace: undefined };

const cases: readonly [string, MatchResources, Partial<AdmissionAttributes>, boolean][] = [
  ['takes what a rule names', { resourceRules: [rule] }, {}, true],
  ['leaves out another operation', { resourceRules: [rule] }, { operation: 'DELETE' }, false],
  ['leaves out subresources', { resourceRules: [rule] }, { subresource: 'status' }, false],
  [
    'takes a subresource that a rule names',
    { resourceRules: [{ ...rule, resources: ['pods/status'] }] },
    { subresource: 'status' },
    true,
  ],
  ['takes everything without rules', {}, {}, true],
  ['takes a name', { resourceRules: [{ ...rule, resourceNames: ['db', 'web'] }] }, {}, true],
  ['leaves out other names', { resourceRules: [{ ...rule, resourceNames: ['db'] }] }, {}, false],
  [
    'leaves out what has no name yet',
    { resourceRules: [{ ...rule, resourceNames: ['web'] }] },
    { name: '' },
    false,
  ],
  [
    'goes on to another rule when the name is not in the first',
    { resourceRules: [{ ...rule, resourceNames: ['db'] }, rule] },
    {},
    true,
  ],
  ['leaves out exclusions', { resourceRules: [rule], excludeResourceRules: [rule] }, {}, false],
  [
    'keeps what an exclusion does not name',
    { resourceRules: [rule], excludeResourceRules: [{ ...rule, resourceNames: ['db'] }] },
    {},
    true,
  ],
  ['takes a selected namespace', { namespaceSelector: tier('gold') }, {}, true],
  ['leaves out other namespaces', { namespaceSelector: tier('silver') }, {}, false],
  ['takes what is in no namespace', { namespaceSelector: tier('silver') }, nodes, true],
  ['takes a selected object', { objectSelector: app('web') }, {}, true],
  ['leaves out other objects', { objectSelector: app('db') }, {}, false],
  [
    'takes an object that was selected before',
    { objectSelector: app('db') },
    { previous: { metadata: { name: 'web', labels: { app: 'db' } } } as unknown as Item },
    true,
  ],
];
test.each(cases)('matchResources() %s', (_, constraints, changed, expected) => {
  const match = matchResources(constraints, { ...attributes, ...changed }, store, registry);
  expect(match !== undefined).toBe(expected);
});

const events = { resource: resourceOf('', 'events') };
const newEvents = { ...rule, apiGroups: ['events.k8s.io'], resources: ['events'] };

test('matchResources() takes the same objects by another name, and says by which', () => {
  const constraints = { resourceRules: [newEvents], matchPolicy: 'Equivalent' };
  const match = matchResources(constraints, { ...attributes, ...events }, store, registry);
  expect(match).toMatchObject({ target: { group: 'events.k8s.io', plural: 'events' } });
});

test('matchResources() leaves them out when the match has to be exact', () => {
  const constraints = { resourceRules: [newEvents], matchPolicy: 'Exact' };
  const match = matchResources(constraints, { ...attributes, ...events }, store, registry);
  expect(match).toBeUndefined();
});

test('matchResources() tells a namespace that is not there', () => {
  const changed = { ...attributes, namespace: 'absent' };
  const match = matchResources({ namespaceSelector: tier('gold') }, changed, store, registry);
  expect(match).toEqual({ error: 'namespaces "absent" not found' });
});
