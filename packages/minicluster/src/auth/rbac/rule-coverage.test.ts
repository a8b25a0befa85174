import { expect, test } from 'vitest';
import { describeRules } from './describe-rules.ts';
import { uncoveredRules } from './rule-coverage.ts';

const pods = { apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] };

test.each([
  ['the same', [pods], [pods], ''],
  ['less', [pods], [{ ...pods, verbs: ['get'] }], ''],
  [
    'more',
    [pods],
    [{ ...pods, verbs: ['watch', 'get', 'delete'] }],
    '{APIGroups:[""], Resources:["pods"], Verbs:["watch" "delete"]}',
  ],
  [
    'the same from several rules',
    [
      { ...pods, verbs: ['get'] },
      { ...pods, verbs: ['list'] },
    ],
    [pods],
    '',
  ],
  ['anything, by everything', [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }], [pods], ''],
  [
    'everything, by little',
    [pods],
    [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
    '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
  ],
  [
    'a subresource, by that of anything',
    [{ ...pods, resources: ['*/status'] }],
    [{ ...pods, resources: ['pods/status'] }],
    '',
  ],
  [
    'a resource, by a subresource of anything',
    [{ ...pods, resources: ['*/status'] }],
    [{ ...pods, verbs: ['get'] }],
    '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
  ],
  ['a name, by all of them', [pods], [{ ...pods, resourceNames: ['a'] }], ''],
  [
    'all names, by one',
    [{ ...pods, resourceNames: ['a'] }],
    [{ ...pods, verbs: ['get'] }],
    '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
  ],
  [
    'names, by other ones',
    [{ ...pods, resourceNames: ['a'] }],
    [{ ...pods, verbs: ['get'], resourceNames: ['a', 'b'] }],
    '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
  ],
  [
    'paths, by a star and one missing',
    [{ nonResourceURLs: ['/lab/*'], verbs: ['get'] }],
    [{ nonResourceURLs: ['/lab/x', '/y'], verbs: ['get', 'put'] }],
    '{NonResourceURLs:["/lab/x"], Verbs:["put"]}\n{NonResourceURLs:["/y"], Verbs:["get"]}\n{NonResourceURLs:["/y"], Verbs:["put"]}',
  ],
  ['nothing', [], [], ''],
  ['a rule without verbs', [], [{ apiGroups: [''], resources: ['pods'] } as typeof pods], ''],
])('uncoveredRules() of %s', (_, held, wanted, missing) => {
  expect(describeRules(uncoveredRules(held, wanted))).toBe(missing);
});
