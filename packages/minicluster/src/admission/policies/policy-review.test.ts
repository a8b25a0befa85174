import type { Namespace } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { mastersAuthorizer } from '../../auth/masters-authorizer.ts';
import { builtInResources } from '../../resources/built-in.ts';
import type { Resource } from '../../rest/resource.ts';
import { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { compilePolicy } from './compile-policy.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import { PolicyReview } from './policy-review.ts';

const pods = builtInResources({ clock: new VirtualClock(), random: seededRandom(1) }).find(
  ({ plural }) => plural === 'pods',
) as Resource;

function reviewOf(changed: Partial<AdmissionAttributes> = {}) {
  const store = new Store();
  store
    .collection('namespaces')
    .put('shop', undefined, { metadata: { name: 'shop' } } as Namespace);
  const attributes = {
    operation: 'CREATE' as const,
    resource: pods,
    subresource: '',
    namespace: 'shop',
    name: 'web',
    object: { metadata: { namespace: 'shop', name: 'web' } },
    previous: undefined,
    options: {},
    dryRun: false,
    user: { name: 'alice', groups: [], extra: {} },
    signal: new AbortController().signal,
    warn: () => undefined,
    ...changed,
  };
  return new PolicyReview(attributes, store, mastersAuthorizer);
}

test('PolicyReview converts no object that no expression reads', () => {
  const read: string[] = [];
  const labels = new Proxy<Record<string, string>>(
    { app: 'web' },
    {
      get(target, key) {
        read.push(String(key));
        return target[String(key)];
      },
    },
  );
  const review = reviewOf({ object: { metadata: { namespace: 'shop', name: 'web', labels } } });
  const evaluate = (username: string) =>
    evaluatePolicy(
      compilePolicy({
        matchConditions: [
          { name: 'user', expression: `request.userInfo.username == '${username}'` },
        ],
        validations: [{ expression: "object.metadata.labels.app == 'web'" }],
      }),
      review.input(pods, undefined),
    );
  evaluate('bob');
  expect(read).toEqual([]);
  expect(evaluate('alice').failures).toEqual([]);
  expect(read).toEqual(['app']);
});

test('PolicyReview converts an object once for all policies', () => {
  const review = reviewOf();
  expect(review.input(pods, undefined).object).toBe(review.input(pods, undefined).object);
});

test('PolicyReview refuses what is in a namespace that is not there', () => {
  expect(() => reviewOf({ namespace: 'absent' }).input(pods, undefined)).toThrow(
    'namespaces "absent" not found',
  );
});
