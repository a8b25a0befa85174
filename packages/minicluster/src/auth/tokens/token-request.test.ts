import type { ApiError, KubeObject } from '@liqo/kube';
import { seededRandom, VirtualClock } from '@liqo/testkit';
import type { TokenRequest } from 'kubernetes-types/authentication/v1.d.ts';
import { expect, test } from 'vitest';
import { Store } from '../../store/store.ts';
import { ServiceAccountTokens } from './service-account-tokens.ts';
import { peekClaims } from './signing-key.ts';
import { answerTokenRequest, completeTokenRequest } from './token-request.ts';

const issuer = 'https://issuer';

function makeCluster() {
  const store = new Store();
  const clock = new VirtualClock({ startMs: Date.UTC(2030, 0, 1) });
  const tokens = new ServiceAccountTokens({ store, clock, random: seededRandom(1), issuer });
  const put = (plural: string, key: string, object: object) =>
    store.collection(plural).put(key, undefined, object as KubeObject);
  const metadata = { namespace: 'shop', name: 'robot', uid: 'u1' };
  put('serviceaccounts', 'shop/robot', { metadata });
  put('pods', 'shop/web', {
    metadata: { namespace: 'shop', name: 'web', uid: 'p1' },
    spec: { serviceAccountName: 'robot', nodeName: 'one' },
  });
  put('nodes', 'one', { metadata: { name: 'one', uid: 'n1' } });
  const ask = (request: Partial<TokenRequest>, name = 'robot') => {
    const parts = { store, clock, tokens };
    const asked = { spec: {}, ...request } as TokenRequest;
    const key = { namespace: 'shop', name };
    const complete = completeTokenRequest(parts, key, asked);
    return answerTokenRequest(parts, key, complete) as TokenRequest;
  };
  return { ask };
}

const refusalOf = (request: object, name?: string) => {
  try {
    makeCluster().ask(request, name);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('Expected a refusal');
};
const pod = { apiVersion: 'v1', kind: 'Pod', name: 'web' };
const claimsOf = ({ status }: TokenRequest) =>
  peekClaims(status?.token ?? '') as { exp: number; iat: number; 'kubernetes.io': object };

test('answerTokenRequest() fills in what was left open', () => {
  expect(makeCluster().ask({})).toEqual({
    metadata: {
      namespace: 'shop',
      name: 'robot',
      uid: 'u1',
      creationTimestamp: '2030-01-01T00:00:00Z',
    },
    spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
    status: { token: expect.any(String), expirationTimestamp: '2030-01-01T01:00:00Z' },
  });
});

test('answerTokenRequest() binds a token to a pod, and mentions its node', () => {
  const answer = makeCluster().ask({ spec: { audiences: ['x'], boundObjectRef: pod } });
  expect(claimsOf(answer)['kubernetes.io']).toEqual({
    namespace: 'shop',
    serviceaccount: { name: 'robot', uid: 'u1' },
    pod: { name: 'web', uid: 'p1' },
    node: { name: 'one', uid: 'n1' },
  });
});

test('answerTokenRequest() prolongs the tokens of kubelets, not those for others or of others', () => {
  const { ask } = makeCluster();
  const yearSeconds = 365 * 24 * 3600;
  const lifeOf = (spec: object) => {
    const { exp, iat } = claimsOf(ask({ spec: spec as TokenRequest['spec'] }));
    return exp - iat;
  };
  const projected = { expirationSeconds: 3607, boundObjectRef: pod };
  expect(lifeOf(projected)).toBe(yearSeconds);
  expect(lifeOf({ ...projected, audiences: ['vault'] })).toBe(3607);
  expect(lifeOf({ ...projected, boundObjectRef: undefined })).toBe(3607);
  expect(lifeOf({ ...projected, expirationSeconds: 3600 })).toBe(3600);
});

test.each([
  ['an absent account', {}, 'absent', 404],
  ['another name', { metadata: { name: 'other' } }, 'robot', 422],
  ['another UID', { metadata: { uid: 'other' } }, 'robot', 409],
  ['too short a time', { spec: { expirationSeconds: 599 } }, 'robot', 422],
  ['too long a time', { spec: { expirationSeconds: 2 ** 32 + 1 } }, 'robot', 422],
  ['an absent pod', { spec: { boundObjectRef: { ...pod, name: 'absent' } } }, 'robot', 404],
  ['another pod', { spec: { boundObjectRef: { ...pod, uid: 'other' } } }, 'robot', 409],
  [
    'a kind that nothing is bound to',
    { spec: { boundObjectRef: { ...pod, kind: 'Job' } } },
    'robot',
    400,
  ],
  [
    'a kind of another group',
    { spec: { boundObjectRef: { ...pod, apiVersion: 'x/v1' } } },
    'robot',
    400,
  ],
])('answerTokenRequest() refuses %s', (_, request, name, code) => {
  expect(refusalOf(request, name).code).toBe(code);
});
