import { annotations, labels } from '@liqo/api';
import type { Secret, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import type { ReflectionRoute } from './reflection-route.ts';
import { planSecret, withoutTokenData } from './secret.ts';

const route: ReflectionRoute = {
  consumerClusterID: 'rome',
  providerClusterID: 'milan',
  remoteNamespace: 'shop-rome',
  policy: 'DenyList',
  notReflected: { labels: [], annotations: [] },
};

const stored = {
  name: 'login',
  uid: 'u1',
  resourceVersion: '1',
  creationTimestamp: '2030-01-01T00:00:00Z',
};
const marks = { [labels.origin]: 'rome', [labels.destination]: 'milan' };

function secret(change: Partial<Secret> = {}): Stored<Secret> {
  const { metadata, ...rest } = change;
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    data: { password: 'c2VjcmV0' },
    ...rest,
    metadata: { namespace: 'shop', ...stored, ...metadata },
  };
}

const copy = (change: Partial<Secret> = {}) =>
  secret({ ...change, metadata: { namespace: 'shop-rome', labels: marks, ...change.metadata } });

describe('planSecret()', () => {
  test.each(['Opaque', 'kubernetes.io/tls', 'kubernetes.io/dockerconfigjson', 'example.org/own'])(
    'keeps the type %s',
    (type) => {
      const step = planSecret(secret({ type }), undefined, route);
      expect(step).toMatchObject({
        type: 'apply',
        object: { type, data: { password: 'c2VjcmV0' } },
      });
    },
  );

  test('replaces a copy of another type, which no update can change', () => {
    const step = planSecret(secret({ type: 'example.org/own' }), copy(), route);
    expect(step).toMatchObject({ type: 'delete', remote: { metadata: { uid: 'u1' } } });
  });

  test('refuses the token of a ServiceAccount, and says what to use', () => {
    const type = 'kubernetes.io/service-account-token';
    expect(planSecret(secret({ type }), undefined, route)).toMatchObject({
      type: 'refuse',
      reason: 'ReflectionDisabled',
      message: expect.stringContaining('projected serviceAccountToken volume'),
    });
    expect(planSecret(secret({ type }), copy(), route).type).toBe('delete');
  });

  test('leaves the tokens of a pod alone, which have a Secret of their own', () => {
    const notes = { [annotations.serviceAccountForPodUid]: 'u2' };
    const tokens = copy({ metadata: { annotations: notes } });
    expect(planSecret(undefined, tokens, route)).toEqual({ type: 'nothing' });
    expect(planSecret(secret(), tokens, route).type).toBe('refuse');
  });
});

test('withoutTokenData() keeps the content of every Secret but the tokens of ServiceAccounts', () => {
  expect(withoutTokenData(secret())).toEqual(secret());
  const token = secret({ type: 'kubernetes.io/service-account-token' });
  expect(withoutTokenData(token)).not.toHaveProperty('data');
});
