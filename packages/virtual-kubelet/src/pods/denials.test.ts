import { VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { Denials } from './denials.ts';

const pod = { namespace: 'shop', name: 'web' };
const problem = { reason: 'ShadowPodDenied', message: 'exceeded quota' };
const backoff = { firstMs: 1_000, longestMs: 4_000 };

function shadowPodOf(image: string) {
  return { spec: { pod: { containers: [{ name: 'main', image }] } } };
}

const wanted = shadowPodOf('i');

test('Denials holds a denied write back for longer each time', async () => {
  const clock = new VirtualClock();
  const denials = new Denials(clock, () => 0);
  for (const waitMs of [1_000, 2_000, 4_000, 4_000]) {
    expect(denials.add(pod, wanted, problem, backoff)).toEqual({ problem, retryInMs: waitMs });
    await clock.advance(waitMs - 1);
    expect(denials.find(pod, wanted)).toEqual({ problem, retryInMs: 1 });
    await clock.advance(1);
    expect(denials.find(pod, wanted)).toBeUndefined();
  }
});

test('Denials holds no other write back, and no other pod', () => {
  const denials = new Denials(new VirtualClock(), () => 0);
  denials.add(pod, wanted, problem, backoff);
  expect(denials.find(pod, shadowPodOf('other'))).toBeUndefined();
  expect(denials.find({ ...pod, name: 'api' }, wanted)).toBeUndefined();
});

test('Denials knows a write again by its content, whatever its version', () => {
  const denials = new Denials(new VirtualClock(), () => 0);
  denials.add(pod, { ...wanted, metadata: { resourceVersion: '1' } }, problem, backoff);
  const later = { ...wanted, metadata: { resourceVersion: '2' } };
  expect(denials.find(pod, later)).toBeDefined();
});

test('Denials remembers two writes of a pod, and forgets the oldest', () => {
  const denials = new Denials(new VirtualClock(), () => 0);
  for (const image of ['1', '2', '3']) denials.add(pod, shadowPodOf(image), problem, backoff);
  const held = ['1', '2', '3'].filter((image) => denials.find(pod, shadowPodOf(image)));
  expect(held).toEqual(['2', '3']);
});

test('Denials starts anew after a write was forgotten', () => {
  const denials = new Denials(new VirtualClock(), () => 0);
  denials.add(pod, wanted, problem, backoff);
  denials.add(pod, wanted, problem, backoff);
  denials.forget(pod);
  expect(denials.find(pod, wanted)).toBeUndefined();
  expect(denials.add(pod, wanted, problem, backoff).retryInMs).toBe(1_000);
});
