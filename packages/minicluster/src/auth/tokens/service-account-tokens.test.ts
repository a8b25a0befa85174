import { formatTime, type KubeObject } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Store } from '../../store/store.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';

const issuer = 'https://issuer';
const minuteMs = 60_000;

function makeCluster() {
  const store = new Store();
  const clock = new VirtualClock();
  const tokens = new ServiceAccountTokens({ store, clock, random: seededRandom(1), issuer });
  const put = (plural: string, key: string, uid: string, more: object = {}) => {
    const collection = store.collection(plural);
    const [namespace = '', name = ''] = key.includes('/') ? key.split('/') : ['', key];
    const metadata = { name, uid, ...(namespace && { namespace }), ...more };
    const item = collection.put(key, collection.get(key), { metadata } as KubeObject);
    if (!item) throw new Error('The store refused the object');
    return item;
  };
  const account = put('serviceaccounts', 'shop/robot', 'u1');
  const issue = (bound: object = {}, audiences: readonly string[] = [issuer]) =>
    tokens.issue({ account, audiences, expirationSeconds: 600, bound });
  const faultOf = (token: string) => {
    const verdict = tokens.verify(token, [issuer]);
    return verdict && 'fault' in verdict ? verdict.fault : undefined;
  };
  const remove = (plural: string, key: string) => {
    const item = store.collection(plural).get(key);
    if (item) store.collection(plural).remove(key, item);
  };
  return { store, clock, tokens, put, issue, faultOf, remove };
}

test('verify() recognises the account of a token', () => {
  const { tokens, issue } = makeCluster();
  expect(tokens.verify(issue(), [issuer])).toEqual({
    audiences: [issuer],
    user: {
      name: 'system:serviceaccount:shop:robot',
      uid: 'u1',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:shop'],
      extra: {
        'authentication.kubernetes.io/credential-id': [
          expect.stringMatching(/^JTI=[0-9a-f-]{36}$/),
        ],
      },
    },
  });
});

test('verify() has no opinion on tokens of others, and on what is no token', () => {
  const { tokens } = makeCluster();
  const other = makeCluster();
  expect(tokens.verify('hello', [issuer])).toBeUndefined();
  expect(tokens.verify('e30.e30.e30', [issuer])).toBeUndefined();
  expect(tokens.verify(other.issue(), [issuer])).toEqual({
    fault: 'invalid signature, no keys found',
  });
});

test('verify() gives the audiences in the order in which they were asked about', () => {
  const { tokens, issue } = makeCluster();
  const token = issue({}, ['x', 'y']);
  expect(tokens.verify(token, ['y', 'z', 'x'])).toMatchObject({ audiences: ['y', 'x'] });
  expect(tokens.verify(token, ['z'])).toEqual({
    fault: 'token audiences ["x" "y"] is invalid for the target audiences ["z"]',
  });
});

test('verify() lets a token live for a minute longer than it says', async () => {
  const { clock, issue, faultOf } = makeCluster();
  const token = issue();
  await clock.advance(11 * minuteMs);
  expect(faultOf(token)).toBeUndefined();
  await clock.advance(1);
  expect(faultOf(token)).toBe('service account token has expired');
});

test('verify() does not take a token from the future', () => {
  const { clock, issue, faultOf } = makeCluster();
  const token = issue();
  clock.skewMs = -2 * minuteMs;
  expect(faultOf(token)).toBe('service account token is not valid yet');
});

test('verify() does not take a token whose account is gone, another, or long deleted', async () => {
  const { clock, issue, faultOf, put, remove } = makeCluster();
  const token = issue();
  remove('serviceaccounts', 'shop/robot');
  expect(faultOf(token)).toBe('serviceaccounts "robot" not found');
  put('serviceaccounts', 'shop/robot', 'u2');
  expect(faultOf(token)).toBe('service account UID (u2) does not match claim (u1)');
  put('serviceaccounts', 'shop/robot', 'u1', { deletionTimestamp: formatTime(clock.now()) });
  expect(faultOf(token)).toBeUndefined();
  await clock.advance(2 * minuteMs);
  expect(faultOf(token)).toBe('service account shop/robot has been deleted');
});

test.each([
  ['pod', 'pods', 'shop/web'],
  ['secret', 'secrets', 'shop/web'],
  ['node', 'nodes', 'web'],
])('verify() does not take a token whose %s is gone, or another', (kind, plural, key) => {
  const { issue, faultOf, put, remove } = makeCluster();
  const token = issue({ [kind]: { name: 'web', uid: 'p1' } });
  expect(faultOf(token)).toBe('service account token has been invalidated');
  put(plural, key, 'p1');
  expect(faultOf(token)).toBeUndefined();
  put(plural, key, 'p2');
  expect(faultOf(token)).toBe(
    `${kind} UID (p2) does not match service account ${kind} ref claim (p1)`,
  );
  remove(plural, key);
  expect(faultOf(token)).toBe('service account token has been invalidated');
});

test('verify() tells the pod of a token and its node, which it does not depend on', () => {
  const { tokens, issue, put } = makeCluster();
  put('pods', 'shop/web', 'p1');
  const token = issue({ pod: { name: 'web', uid: 'p1' }, node: { name: 'gone', uid: 'n1' } });
  expect(tokens.verify(token, [issuer])).toMatchObject({
    user: {
      extra: {
        'authentication.kubernetes.io/pod-name': ['web'],
        'authentication.kubernetes.io/pod-uid': ['p1'],
        'authentication.kubernetes.io/node-name': ['gone'],
        'authentication.kubernetes.io/node-uid': ['n1'],
      },
    },
  });
});
