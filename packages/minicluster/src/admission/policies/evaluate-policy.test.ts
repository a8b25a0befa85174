import { expect, test } from 'vitest';
import { mastersAuthorizer } from '../../auth/masters-authorizer.ts';
import { CelAuthorizer } from './cel-authorizer.ts';
import { celData } from './cel-data.ts';
import { compilePolicy } from './compile-policy.ts';
import { evaluatePolicy, type PolicyInput } from './evaluate-policy.ts';
import recorded from './evaluate-policy.vectors.json' with { type: 'json' };
import type { PolicySpec } from './policy-spec.ts';

/** What a kube-apiserver 1.35.4 said to the creation of a ConfigMap under a policy; null when it had no objection. */
interface Vector {
  readonly spec: PolicySpec;
  readonly denied: string | null;
}

const vectors = recorded.map((text): Vector => JSON.parse(text));

const user = {
  name: 'kubernetes-admin',
  groups: ['system:masters', 'system:authenticated'],
  extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=0'] },
};
const configMaps = {
  group: '',
  plural: 'configmaps',
  subresource: '',
  namespace: 'probe',
  name: 'x',
};
const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
const resource = { group: '', version: 'v1', resource: 'configmaps' };

const input: PolicyInput = {
  object: celData({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      namespace: 'probe',
      name: 'x',
      uid: 'u',
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { probe: 'p1' },
      managedFields: [],
    },
    data: { a: '1', n: '7' },
  }),
  oldObject: null,
  request: celData({
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: 'x',
    namespace: 'probe',
    operation: 'CREATE',
    userInfo: { username: user.name, groups: user.groups, extra: user.extra },
    dryRun: true,
  }),
  namespaceObject: celData({
    metadata: { name: 'probe', uid: 'n', labels: { env: 'test' } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }),
  params: null,
  authorizer: new CelAuthorizer(mastersAuthorizer, user, configMaps),
};

test.each(vectors.map((vector) => [JSON.stringify(vector.spec).slice(0, 120), vector] as const))(
  'evaluatePolicy() says of %s what the real server said',
  (_, { spec, denied }) => {
    const { failures, faults } = evaluatePolicy(compilePolicy(spec), input);
    const [first] = [...failures, ...faults];
    expect(first?.message ?? null).toBe(denied);
  },
);

const evaluate = (spec: PolicySpec, changed: Partial<PolicyInput> = {}) =>
  evaluatePolicy(compilePolicy(spec), { ...input, ...changed });

test('evaluatePolicy() evaluates a variable once, and only when it is needed', () => {
  const asked: string[] = [];
  const authorizer = {
    authorize: ({ verb }: { verb: string }) => {
      asked.push(verb);
      return { allowed: true, reason: '' };
    },
  };
  const check = (verb: string) => `authorizer.requestResource.check('${verb}').allowed()`;
  evaluate(
    {
      variables: [
        { name: 'needed', expression: check('get') },
        { name: 'unneeded', expression: check('list') },
      ],
      validations: [
        { expression: 'variables.needed && variables.needed' },
        { expression: 'variables.needed || variables.unneeded' },
      ],
    },
    { authorizer: new CelAuthorizer(authorizer, user, configMaps) },
  );
  expect(asked).toEqual(['get']);
});

test('evaluatePolicy() tells false from broken by the reason', () => {
  const validations = [
    { expression: 'false', reason: 'Forbidden' },
    { expression: 'false' },
    { expression: 'object.none == 1', reason: 'Forbidden' },
  ];
  const { failures } = evaluate({ validations });
  expect(failures.map(({ reason }) => reason)).toEqual(['Forbidden', 'Invalid', undefined]);
});

test('evaluatePolicy() takes no message that is too long', () => {
  const value = 'x'.repeat(5 * 1024 + 1);
  const validations = [{ expression: 'false', message: 'plain', messageExpression: `'${value}'` }];
  expect(evaluate({ validations }).failures).toMatchObject([{ message: 'plain' }]);
});

test('evaluatePolicy() takes keys of an object for what they say', () => {
  const object = celData(JSON.parse('{"__proto__": "a", "constructor": "b", "n": 1, "d": 0.5}'));
  const validations = [
    { expression: "object['__proto__'] == 'a' && object.constructor == 'b'" },
    { expression: "!('toString' in object) && !has(object.hasOwnProperty)" },
    { expression: 'object.n == 1 && object.d == 0.5 && object.n % 2 == 1' },
  ];
  expect(evaluate({ validations }, { object }).failures).toEqual([]);
});
