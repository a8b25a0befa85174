import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { Item } from '../../store/collection.ts';
import { Store } from '../../store/store.ts';
import { PolicyIndex } from './policy-index.ts';

const group = 'admissionregistration.k8s.io';

function makeIndex() {
  const store = new Store();
  const policies = store.collection(`validatingadmissionpolicies.${group}`);
  const bindings = store.collection(`validatingadmissionpolicybindings.${group}`);
  const index = new PolicyIndex(store);
  return {
    names: () =>
      index.bound().map(({ policy, bindings }) => [policy.metadata.name, bindings.length]),
    index,
    putPolicy: (name: string, generation: number, changed: object = {}) => {
      const spec = { validations: [{ expression: 'true' }], ...changed };
      const metadata = { name, uid: `uid of ${name}`, generation };
      policies.put(name, policies.get(name), { metadata, spec } as KubeObject);
    },
    putBinding: (name: string, policyName: string) =>
      bindings.put(name, bindings.get(name), {
        metadata: { name },
        spec: { policyName },
      } as KubeObject),
    removeBinding: (name: string) => bindings.remove(name, bindings.get(name) as Item),
  };
}

test('PolicyIndex holds the policies that are bound, as they are at the moment', () => {
  const { names, putPolicy, putBinding, removeBinding } = makeIndex();
  expect(names()).toEqual([]);
  putPolicy('b', 1);
  putPolicy('a', 1);
  putBinding('one', 'b');
  putBinding('two', 'b');
  putBinding('three', 'none');
  expect(names()).toEqual([['b', 2]]);
  putBinding('three', 'a');
  expect(names()).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  removeBinding('one');
  removeBinding('two');
  expect(names()).toEqual([['a', 1]]);
});

test('PolicyIndex compiles a policy once per generation', () => {
  const { index, putPolicy, putBinding } = makeIndex();
  const compiled = () => index.bound()[0]?.compiled;
  putPolicy('a', 1);
  putBinding('one', 'a');
  const first = compiled();
  expect(compiled()).toBe(first);
  putBinding('two', 'a');
  putPolicy('a', 1);
  expect(compiled()).toBe(first);
  putPolicy('a', 2, { failurePolicy: 'Ignore' });
  expect(compiled()).not.toBe(first);
  expect(compiled()?.ignoresFailures).toBe(true);
});
