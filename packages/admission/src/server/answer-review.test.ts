import { applyJsonPatch, sleep } from '@liqo/kube';
import { silentLogger } from '@liqo/runtime';
import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { changed, forbidden, unchanged } from '../review/verdict.ts';
import type { Rule } from '../rule.ts';
import { forgeBody, forgeRequest } from '../testing/forge-request.ts';
import { Reviewer } from './answer-review.ts';

const pod = { metadata: { name: 'web', labels: { app: 'web' } } };
const body = forgeBody(forgeRequest(pod));

function reviewerOf(review: Rule['review'], clock = new VirtualClock()): Reviewer {
  return new Reviewer({ rules: [{ path: '/mutate/pod', review }], clock, log: silentLogger });
}

test('Reviewer answers a change with a JSON patch', async () => {
  const labelled = { metadata: { ...pod.metadata, labels: { app: 'web', tier: 'front' } } };
  const { status, body: answer } = await reviewerOf(() => changed(labelled)).answer(
    '/mutate/pod?timeout=10s',
    body,
  );
  expect(status).toBe(200);
  const { apiVersion, kind, response } = JSON.parse(answer);
  expect([apiVersion, kind]).toEqual(['admission.k8s.io/v1', 'AdmissionReview']);
  const { patch, ...rest } = response;
  expect(rest).toEqual({ uid: 'e5c4d3b2', allowed: true, patchType: 'JSONPatch' });
  const operations = JSON.parse(Buffer.from(patch, 'base64').toString());
  expect(applyJsonPatch(pod, operations)).toEqual(labelled);
});

test.each([
  ['nothing to change', unchanged, { allowed: true }],
  ['an object that stays the same', changed({ ...pod }), { allowed: true }],
  [
    'a warning',
    { allowed: true, warnings: ['line\nbreak'] } as const,
    { allowed: true, warnings: ['line break'] },
  ],
  [
    'a denial',
    forbidden('not yours'),
    { allowed: false, status: { code: 403, reason: 'Forbidden', message: 'not yours' } },
  ],
])('Reviewer answers %s', async (_, verdict, expected) => {
  const { body: answer } = await reviewerOf(() => verdict).answer('/mutate/pod', body);
  expect(JSON.parse(answer).response).toEqual({ uid: 'e5c4d3b2', ...expected });
});

const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview' };
const request = JSON.parse(body).request;

test.each([
  ['no JSON', '{'],
  ['a list', '[]'],
  ['null', 'null'],
  [
    'another version',
    JSON.stringify({ ...review, apiVersion: 'admission.k8s.io/v1beta1', request }),
  ],
  ['no request', JSON.stringify(review)],
  ['no uid', JSON.stringify({ ...review, request: { ...request, uid: '' } })],
  ['a long uid', JSON.stringify({ ...review, request: { ...request, uid: 'x'.repeat(300) } })],
  [
    'an unknown operation',
    JSON.stringify({ ...review, request: { ...request, operation: 'PATCH' } }),
  ],
  ['no user', JSON.stringify({ ...review, request: { ...request, userInfo: null } })],
  [
    'groups that are no names',
    JSON.stringify({ ...review, request: { ...request, userInfo: { groups: [1] } } }),
  ],
  [
    'a namespace that is no string',
    JSON.stringify({ ...review, request: { ...request, namespace: {} } }),
  ],
  ['an object that is a list', JSON.stringify({ ...review, request: { ...request, object: [] } })],
  [
    'metadata that is a list',
    JSON.stringify({ ...review, request: { ...request, object: { metadata: [] } } }),
  ],
])('Reviewer refuses a body with %s', async (_, malformed) => {
  const answer = await reviewerOf(() => unchanged).answer('/mutate/pod', malformed);
  expect(answer).toMatchObject({ status: 400, contentType: 'text/plain' });
  expect(answer.body).not.toBe('');
});

test('Reviewer answers a rule that fails with 500, so that the failure policy decides', async () => {
  const failing = reviewerOf(() => {
    throw new Error('Cannot read the namespace');
  });
  const answer = await failing.answer('/mutate/pod', body);
  expect(answer).toMatchObject({ status: 500, body: 'Cannot read the namespace' });
});

test('Reviewer answers a rule that hangs before the API server gives up', async () => {
  const clock = new VirtualClock();
  const hanging = reviewerOf(() => new Promise(() => undefined), clock);
  const answering = hanging.answer('/mutate/pod?timeout=2s', body);
  await Promise.race([answering, clock.advance(1_800)]);
  expect(await answering).toMatchObject({ status: 500, body: 'no verdict within 1800 ms' });
});

test('Reviewer tells a rule when its time is over', async () => {
  const clock = new VirtualClock();
  const ended: unknown[] = [];
  const waiting = reviewerOf(async (_, signal) => {
    await sleep(clock, 60_000, signal).catch((error) => ended.push(error));
    return unchanged;
  }, clock);
  const answering = waiting.answer('/mutate/pod', body);
  await clock.advance(30_000);
  await answering;
  expect(ended).toHaveLength(1);
});

test('Reviewer knows the paths of its rules and no others', async () => {
  const reviewer = reviewerOf(() => unchanged);
  expect(reviewer.knows('/mutate/pod?timeout=10s')).toBe(true);
  expect(reviewer.knows('/mutate/')).toBe(false);
  expect(await reviewer.answer('/constructor', body)).toMatchObject({ status: 404 });
});
