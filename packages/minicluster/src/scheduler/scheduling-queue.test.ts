import { expect, test } from 'vitest';
import { SchedulingQueue } from './scheduling-queue.ts';
import { pod } from './testing/forge.ts';

function drain(queue: SchedulingQueue): string[] {
  const names: string[] = [];
  for (let next = queue.take(); next; next = queue.take()) names.push(next.pod.metadata.name);
  return names;
}

test('SchedulingQueue gives the important first, then those who came first', () => {
  const queue = new SchedulingQueue();
  queue.offer(pod('a'));
  queue.offer(pod('b', { priority: 10 }));
  queue.offer(pod('c'));
  queue.offer(pod('d', { priority: 10 }));
  expect(drain(queue)).toEqual(['b', 'd', 'a', 'c']);
});

test('SchedulingQueue gives a pod once, in its newest version, in its first place', () => {
  const queue = new SchedulingQueue();
  queue.offer(pod('a'));
  queue.offer(pod('b'));
  queue.offer(pod('a', { nodeSelector: { x: 'y' } }));
  expect(queue.take()?.pod.spec?.nodeSelector).toEqual({ x: 'y' });
  expect(drain(queue)).toEqual(['b']);
});

test('SchedulingQueue does not give pods that were removed', () => {
  const queue = new SchedulingQueue();
  queue.offer(pod('a'));
  queue.remove(pod('a').key);
  expect(drain(queue)).toEqual([]);
});

test('SchedulingQueue keeps pods aside until something may help them', () => {
  const queue = new SchedulingQueue();
  queue.setAside(pod('a'), new Set(['NodeResourcesFit']));
  queue.setAside(pod('b'), new Set(['NodeAffinity']));
  expect(drain(queue)).toEqual([]);
  queue.retry((rejectedBy) => rejectedBy.has('NodeAffinity'));
  expect(drain(queue)).toEqual(['b']);
  expect(queue.isWaiting(pod('a').key)).toBe(true);
});
