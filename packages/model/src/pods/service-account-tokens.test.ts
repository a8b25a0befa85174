import { annotations } from '@liqo/api';
import type { Secret, Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { romeToMilan } from '../testing/rome-to-milan.ts';
import { storedPod } from '../testing/stored-pod.ts';
import { forgeTokenSecret, planTokens, wantedTokens } from './service-account-tokens.ts';
import { translatePodSpec } from './translate-pod-spec.ts';

const route = { ...romeToMilan, consumerApiServer: { host: 'kubernetes.default', port: '443' } };
const sources = [
  { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
  { serviceAccountToken: { path: 'vault', audience: 'vault' } },
];
const spec = { serviceAccountName: 'cart', volumes: [{ name: 'access', projected: { sources } }] };
const local = storedPod({ spec });
const hour = Date.parse('2026-01-01T01:00:00Z');

const tokens = [
  { key: 'access-3c469e', expirationSeconds: 3600 },
  { key: 'access-e6f0a1', expirationSeconds: 3600, audience: 'vault' },
];

function stored(secret: Secret): Stored<Secret> {
  return {
    ...secret,
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'web-token',
      uid: 'secret-uid',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...secret.metadata,
    },
  };
}

const issued = tokens.map((token, i) => ({ ...token, token: `jwt-${i}`, expiresAtMs: hour + i }));
const secret = stored(forgeTokenSecret(local, issued, route));

describe('wantedTokens()', () => {
  test('are those of the volumes, under the keys that the volumes look for', () => {
    const wanted = wantedTokens(local, route);
    expect(wanted.map(({ expirationSeconds, audience }) => [expirationSeconds, audience])).toEqual([
      [3600, undefined],
      [3600, 'vault'],
    ]);
    const items = translatePodSpec(local, route).volumes?.[0]?.projected?.sources?.flatMap(
      (source) => source.secret?.items ?? [],
    );
    expect(items?.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
  });

  test.each([
    [600, 600],
    [3607, 3600],
    [86_400, 3600],
  ])('live for an hour at most: %i s become %i s', (expirationSeconds, lifetime) => {
    const source = { serviceAccountToken: { path: 'token', expirationSeconds } };
    const volumes = [{ name: 'access', projected: { sources: [source] } }];
    const [wanted] = wantedTokens(storedPod({ spec: { volumes } }), route);
    expect(wanted?.expirationSeconds).toBe(lifetime);
  });

  test('are none for a pod that does not use the API server of the consumer', () => {
    const metadata = { annotations: { [annotations.apiServerSupport]: 'disabled' } };
    expect(wantedTokens(storedPod({ metadata, spec }), route)).toEqual([]);
    expect(wantedTokens(local, romeToMilan)).toEqual([]);
  });
});

test('forgeTokenSecret() says for which pod it is and when the first token expires', () => {
  expect(forgeTokenSecret(local, issued, route)).toEqual({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'web-token',
      namespace: 'shop-rome',
      labels: {
        'offloading.liqo.io/origin': 'rome',
        'offloading.liqo.io/destination': 'milan',
        'offloading.liqo.io/nodename': 'milan',
        'offloading.liqo.io/service-account-name': 'cart',
      },
      annotations: {
        'offloading.liqo.io/service-account-for-pod-name': 'web',
        'offloading.liqo.io/service-account-for-pod-uid': 'pod-uid',
        'offloading.liqo.io/service-account-expiration': '2026-01-01T01:00:00Z',
      },
    },
    type: 'Opaque',
    immutable: false,
    data: { [issued[0]?.key ?? '']: 'and0LTA=', [issued[1]?.key ?? '']: 'and0LTE=' },
  });
});

test('forgeTokenSecret() names no service account whose name is too long for a label', () => {
  const serviceAccountName = 'a'.repeat(64);
  const pod = storedPod({ spec: { ...spec, serviceAccountName } });
  const marks = forgeTokenSecret(pod, issued, route).metadata?.labels ?? {};
  expect(Object.keys(marks)).not.toContain('offloading.liqo.io/service-account-name');
  expect(marks).toMatchObject({ 'offloading.liqo.io/nodename': 'milan' });
});

describe('planTokens()', () => {
  const fourFifths = hour - 720_000;
  const plan = (nowMs: number, existing: Stored<Secret> | undefined = secret) =>
    planTokens(local, existing, { route, nowMs });

  test('asks for tokens where there are none', () => {
    expect(planTokens(local, undefined, { route, nowMs: 0 }).type).toBe('request');
  });

  test('asks for new ones when four fifths of their life have passed, not before', () => {
    expect(plan(fourFifths - 1)).toEqual({ type: 'leave', untilMs: fourFifths });
    expect(plan(fourFifths).type).toBe('request');
  });

  test('asks for new ones where one is missing, or where it is not known when they expire', () => {
    expect(plan(0, { ...secret, data: {} }).type).toBe('request');
    const notes = { [annotations.serviceAccountForPodUid]: 'pod-uid' };
    const forgotten = { ...secret, metadata: { ...secret.metadata, annotations: notes } };
    expect(plan(0, forgotten).type).toBe('request');
  });

  const expiringAt = (expiration: string): Stored<Secret> => {
    const notes = {
      ...secret.metadata.annotations,
      [annotations.serviceAccountExpiration]: expiration,
    };
    return { ...secret, metadata: { ...secret.metadata, annotations: notes } };
  };

  test.each(['', 'tomorrow', '9'.repeat(1_000)])(
    'asks for new ones where the provider has changed their expiration to "%s"',
    (expiration) => expect(plan(0, expiringAt(expiration)).type).toBe('request'),
  );

  test('does not believe that they live longer than what was asked for', () => {
    const longest = expiringAt('9999-12-31T23:59:59Z');
    expect(plan(hour, longest)).toEqual({ type: 'leave', untilMs: hour + 2_880_000 });
  });

  test('asks for new ones when they are due, whatever the Secret says', () => {
    expect(planTokens(local, secret, { route, nowMs: 0, isDue: true }).type).toBe('request');
  });

  test('deletes the Secret of an earlier pod', () => {
    const next = storedPod({ metadata: { uid: 'next' }, spec });
    expect(planTokens(next, secret, { route, nowMs: 0 })).toEqual({ type: 'delete', secret });
  });

  test('leaves the Secret of somebody else alone', () => {
    const theirs = { ...secret, metadata: { ...secret.metadata, labels: {} } };
    expect(plan(0, theirs)).toMatchObject({ type: 'refuse', reason: 'NameTaken' });
  });

  test('leaves alone a pod that needs none', () => {
    expect(planTokens(storedPod(), undefined, { route, nowMs: 0 })).toEqual({ type: 'leave' });
  });
});
