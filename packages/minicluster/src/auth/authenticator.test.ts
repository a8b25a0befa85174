import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Store } from '../store/store.ts';
import { Authenticator } from './authenticator.ts';
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts';

const issuer = 'https://issuer';
const tester = { name: 'tester', groups: ['team'], extra: {} };
const tokens = new ServiceAccountTokens({
  store: new Store(),
  clock: new VirtualClock(),
  random: seededRandom(1),
  issuer,
});
const authenticator = new Authenticator(tokens, new Map([['s3cret', tester]]));
const request = (headers: Record<string, string>, more: object = {}) =>
  authenticator.authenticate({
    method: 'GET',
    path: '/',
    headers,
    signal: new AbortController().signal,
    ...more,
  });

test('authenticate() takes the peer of the connection, whatever its token', () => {
  const peer = { name: 'jane', groups: [], extra: {} };
  const user = request({ authorization: 'Bearer s3cret' }, { peer });
  expect(user).toEqual({ ...peer, groups: ['system:authenticated'] });
});

test.each(['Bearer s3cret', 'bearer s3cret', '  Bearer s3cret '])(
  'authenticate() reads the token in "%s"',
  (authorization) => {
    expect(request({ authorization })).toEqual({
      ...tester,
      groups: ['team', 'system:authenticated'],
    });
  },
);

test.each(['', 'Bearer', 'Bearer ', 'Bearer wrong', 'Basic s3cret', 's3cret'])(
  'authenticate() lets nobody in with "%s"',
  (authorization) => {
    expect(() => request({ authorization })).toThrow('Unauthorized');
    expect(() => request({})).toThrow('Unauthorized');
  },
);

test('authenticateToken() knows static tokens as those of the API server', () => {
  expect(authenticator.authenticateToken('s3cret')).toMatchObject({ audiences: [issuer] });
  expect(authenticator.authenticateToken('s3cret', ['other'])).toEqual({
    fault: 'invalid bearer token',
  });
});
