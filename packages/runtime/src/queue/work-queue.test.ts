import { seededRandom, VirtualClock } from '@liqo/testkit';
import { expect, test } from 'vitest';
import { WorkQueue, type WorkQueueOptions } from './work-queue.ts';

function start(options: Partial<WorkQueueOptions> = {}) {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: seededRandom(1), ...options });
  return { clock, queue };
}

/** Takes and gives back whatever can be taken right now. */
async function runAll(queue: WorkQueue): Promise<readonly (string | undefined)[]> {
  const taken: (string | undefined)[] = [];
  while (queue.depth > 0) {
    const key = await queue.take();
    taken.push(key);
    if (key !== undefined) queue.done(key);
  }
  return taken;
}

test('WorkQueue hands out keys in the order they came, each once however often it was added', async () => {
  const { queue } = start();
  for (const key of ['b', 'a', 'b', 'c', 'a']) queue.add(key);
  expect(queue.depth).toBe(3);
  expect(await runAll(queue)).toEqual(['b', 'a', 'c']);
});

test('WorkQueue keeps a taker waiting until there is a key', async () => {
  const { queue } = start();
  const [first, second] = [queue.take(), queue.take()];
  queue.add('a');
  queue.add('b');
  expect(await first).toBe('a');
  expect(await second).toBe('b');
});

test('WorkQueue runs a key that was added while it ran once more, and not before it is done', async () => {
  const { queue } = start();
  queue.add('a');
  await queue.take();
  queue.add('a');
  queue.add('a');
  expect(queue.depth).toBe(0);
  queue.done('a');
  expect(await runAll(queue)).toEqual(['a']);
});

test('WorkQueue ignores a key that is done twice', async () => {
  const { queue } = start();
  queue.add('a');
  await queue.take();
  queue.add('a');
  queue.done('a');
  queue.done('a');
  expect(await runAll(queue)).toEqual(['a']);
});

test('WorkQueue adds later what is to be added later, at the earliest time asked for', async () => {
  const { clock, queue } = start();
  queue.addAfter('a', 1000);
  queue.addAfter('a', 200);
  queue.addAfter('a', 500);
  await clock.advance(199);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(await runAll(queue)).toEqual(['a']);
  await clock.advance(5000);
  expect(queue.depth).toBe(0);
});

test('WorkQueue adds at once what is to be added after no time', async () => {
  const { queue } = start();
  queue.addAfter('a', 0);
  queue.addAfter('b', -5);
  expect(await runAll(queue)).toEqual(['a', 'b']);
});

test('WorkQueue forgets a later run when an earlier one covers it', async () => {
  const { clock, queue } = start();
  queue.addAfter('a', 1000);
  queue.add('a');
  expect(await runAll(queue)).toEqual(['a']);
  expect(clock.pendingTimers).toBe(0);
});

test('WorkQueue keeps a later run that was asked for while the key was running', async () => {
  const { clock, queue } = start();
  queue.add('a');
  await queue.take();
  queue.addAfter('a', 1000);
  queue.done('a');
  await clock.advance(1000);
  expect(await runAll(queue)).toEqual(['a']);
});

test('WorkQueue lets a failing key wait longer every time, from 5 ms to 30 s, until it is forgotten', () => {
  const { queue } = start({ random: () => 0 });
  const waits = Array.from({ length: 20 }, () => queue.addRateLimited('a'));
  expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
  expect(waits.at(-1)).toBe(30_000);
  expect(queue.addRateLimited('b')).toBe(5);
  queue.forget('a');
  expect(queue.addRateLimited('a')).toBe(5);
});

test('WorkQueue waits at least as long as it was asked to', async () => {
  const { clock, queue } = start();
  expect(queue.addRateLimited('a', { atLeastMs: 3000 })).toBe(3000);
  await clock.advance(2999);
  expect(queue.depth).toBe(0);
  await clock.advance(1);
  expect(queue.depth).toBe(1);
});

test('WorkQueue serves a small group promptly while thousands of another one wait', async () => {
  const { queue } = start({ fairnessOf: (key) => key.split('/', 1)[0] ?? '' });
  for (let i = 0; i < 2000; i++) queue.add(`burst/${i}`);
  queue.add('shop/web');
  queue.add('shop/db');
  const order = await runAll(queue);
  expect(order.indexOf('shop/web')).toBe(1);
  expect(order.indexOf('shop/db')).toBe(3);
});

test('WorkQueue tells its observer what it does', async () => {
  const heard: string[] = [];
  const { clock, queue } = start({
    observer: {
      added: () => heard.push('added'),
      depthChanged: (depth) => heard.push(`depth ${depth}`),
      retried: () => heard.push('retried'),
      taken: (waitedSeconds) => heard.push(`taken after ${waitedSeconds}`),
      finished: (workedSeconds) => heard.push(`finished after ${workedSeconds}`),
    },
  });
  queue.add('a');
  await clock.advance(1500);
  await queue.take();
  await clock.advance(250);
  queue.add('a');
  queue.done('a');
  queue.addRateLimited('b', { atLeastMs: 10 });
  await clock.advance(10);
  expect(heard).toEqual([
    ...['added', 'depth 1', 'depth 0', 'taken after 1.5'],
    ...['added', 'finished after 0.25', 'depth 1', 'retried', 'added', 'depth 2'],
  ]);
});

test('WorkQueue knows for how long keys have been running', async () => {
  const { clock, queue } = start();
  queue.add('a');
  queue.add('b');
  await queue.take();
  await clock.advance(1000);
  await queue.take();
  await clock.advance(500);
  expect(queue.unfinishedWork()).toEqual({ totalSeconds: 2, longestSeconds: 1.5 });
  expect(queue.running).toEqual(['a', 'b']);
});

test('WorkQueue hands out nothing once it is closed, and leaves no timer', async () => {
  const { clock, queue } = start();
  queue.add('a');
  await queue.take();
  queue.add('a');
  queue.add('b');
  queue.addAfter('c', 1000);
  const drained = queue.drained();
  queue.close();
  queue.add('d');
  queue.addAfter('e', 10);
  expect(await queue.take()).toBeUndefined();
  queue.done('a');
  await drained;
  expect(queue.depth).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test('WorkQueue sends waiting takers away when it is closed', async () => {
  const { queue } = start();
  const waiting = [queue.take(), queue.take()];
  queue.close();
  expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
});

const tenantOf = (key: string) => key.slice(0, 1);

test('WorkQueue leaves workers to other flows, however much one flow has to do', async () => {
  const { queue } = start({ flowOf: tenantOf, atOncePerFlow: 2 });
  for (const key of ['a1', 'a2', 'a3']) queue.add(key);
  expect([await queue.take(), await queue.take()]).toEqual(['a1', 'a2']);
  const free = queue.take();
  queue.add('b1');
  expect(await free).toBe('b1');
});

test('WorkQueue hands out the next key of a flow when one of its workers is released', async () => {
  const { queue } = start({ flowOf: tenantOf, atOncePerFlow: 1 });
  for (const key of ['a1', 'a2']) queue.add(key);
  expect(await queue.take()).toBe('a1');
  const next = queue.take();
  queue.release('a1');
  expect(await next).toBe('a2');
  expect(queue.running).toEqual(['a1', 'a2']);
  queue.add('a1');
  queue.done('a1');
  const again = queue.take();
  queue.done('a2');
  expect(await again).toBe('a1');
});

test('WorkQueue counts a worker for the flow that its key had when it was added', async () => {
  let flow = 'a';
  const { queue } = start({ flowOf: () => flow, atOncePerFlow: 1 });
  queue.add('x');
  await queue.take();
  flow = 'b';
  queue.done('x');
  queue.add('y');
  expect(await queue.take()).toBe('y');
  queue.done('y');
  flow = 'a';
  queue.add('z');
  expect(await queue.take()).toBe('z');
});
