import { LearntLimit, type ObjectKey } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import { beforeEach, describe, expect, test } from 'vitest';
import { Turns } from './turns.ts';

let clock: VirtualClock;
let turns: Turns;
let called: string[];
beforeEach(() => {
  clock = new VirtualClock();
  called = [];
  const onTurn = ({ namespace, name }: ObjectKey) => called.push(`${namespace}/${name}`);
  const limit = new LearntLimit({ min: 16, initial: atFirst, queue: fewInQueue });
  turns = new Turns({ clock, limit, longestMs: 2_000, onceBegunMs: 500, lateNewsMs: 100, onTurn });
});

const atFirst = 32;
const fewInQueue = 1;
const few = 2;
const crowd = (count: number, namespace = 'shop'): readonly ObjectKey[] =>
  Array.from({ length: count }, (_, i) => ({ namespace, name: `web-${i}` }));
const start = (pods: readonly ObjectKey[]) => pods.map((pod) => turns.take(pod));

describe('Turns', () => {
  test('are for a few at a time, and whoever has one keeps it', () => {
    const pods = crowd(atFirst + 10);
    expect(start(pods).filter(Boolean)).toHaveLength(atFirst);
    expect(start(pods).filter(Boolean)).toHaveLength(atFirst);
    expect(turns.size).toBe(atFirst);
  });

  test('go to those who wait, in their order, the namespaces one after the other', () => {
    const [first, second, ...pods] = crowd(atFirst + 4);
    if (!first || !second) throw new Error('Nobody is there');
    start([first, second, ...pods]);
    turns.take({ namespace: 'bank', name: 'till' });
    turns.leave(first);
    turns.leave(second);
    expect(called).toEqual([`shop/web-${atFirst}`, 'bank/till']);
    expect(turns.take({ namespace: 'bank', name: 'till' })).toBe(true);
  });

  test('come once to whoever has asked twice', () => {
    const pods = crowd(atFirst + 2);
    start(pods);
    start(pods);
    for (const pod of pods.slice(0, 4)) turns.leave(pod);
    expect(called).toEqual([`shop/web-${atFirst}`, `shop/web-${atFirst + 1}`]);
  });

  test('are not taken by newcomers while others wait', () => {
    const [first, ...pods] = crowd(atFirst + 1);
    if (!first) throw new Error('Nobody is there');
    start([first, ...pods]);
    turns.leave(first);
    expect(turns.take(first)).toBe(false);
  });

  test('end by themselves when nobody gives them back', async () => {
    start(crowd(atFirst + 10));
    await clock.advance(1_999);
    expect(called).toEqual([]);
    await clock.advance(1);
    expect(called).toHaveLength(10);
  });

  test('end sooner once the provider has begun: the rest is the affair of the pod', async () => {
    const pods = crowd(atFirst);
    start([...pods, ...crowd(atFirst, 'other')]);
    await clock.advance(1_000);
    for (const pod of pods) turns.begun(pod);
    await clock.advance(400);
    for (const pod of pods) turns.begun(pod);
    expect(called).toEqual([]);
    await clock.advance(100);
    expect(called).not.toEqual([]);
  });

  test('are not shortened for whoever has been called and has not come', async () => {
    const pods = crowd(2 * atFirst);
    start(pods);
    for (const pod of pods.slice(0, atFirst)) turns.leave(pod);
    for (const pod of pods.slice(atFirst)) turns.begun(pod);
    await clock.advance(1_999);
    expect(turns.size).toBe(atFirst);
    await clock.advance(1);
    expect(turns.size).toBe(0);
  });

  test('pass to the next when whoever is called does not come', async () => {
    start(crowd(3 * atFirst));
    await clock.advance(4_000);
    expect(called).toHaveLength(2 * atFirst);
  });

  test('are not fewer because of those who are called and do not come', async () => {
    const quick = { namespace: 'shop', name: 'quick' };
    turns.take(quick);
    turns.over(quick);
    const pods = crowd(2 * atFirst);
    start(pods);
    for (const pod of pods.slice(0, atFirst)) turns.leave(pod);
    await clock.advance(2_000);
    expect(turns.size).toBe(0);
    start(crowd(3 * atFirst, 'other'));
    expect(turns.size).toBe(atFirst);
  });

  /** A provider that takes a pod up whenever that time has passed. */
  const playProvider = async (pods: number, eachMs: number) => {
    const waiting = crowd(pods).filter((pod) => turns.take(pod));
    for (let i = 0; i < pods; i++) {
      await clock.advance(eachMs);
      const next = waiting.shift();
      if (next) turns.over(next);
      const names = called.splice(0).map((key) => key.split('/'));
      const pods = names.map(([namespace = '', name = '']) => ({ namespace, name }));
      waiting.push(...pods.filter((pod) => turns.take(pod)));
    }
  };

  test('become more while the provider takes pods up at once', async () => {
    await playProvider(500, 0);
    start(crowd(3_000, 'other'));
    expect(turns.size).toBeGreaterThan(2 * atFirst);
  });

  test('become fewer while pods queue at the provider', async () => {
    await playProvider(500, 0);
    await playProvider(1_000, 100);
    start(crowd(3_000, 'other'));
    expect(turns.size).toBeLessThan(2 * atFirst);
    expect(turns.size).toBeGreaterThanOrEqual(16);
  });

  test('become more while the provider begins at once, however long its pods take', async () => {
    const pods = crowd(1_000);
    start(pods);
    for (let i = 0; i < 4; i++) {
      for (const pod of pods) turns.begun(pod);
      await clock.advance(500);
      start(pods);
    }
    expect(turns.size).toBeGreaterThan(4 * atFirst);
  });

  /** The provider is done with all who have their turn, and that is known here later. */
  const finishAll = async (pods: readonly ObjectKey[], newsMs: number) => {
    for (const pod of pods) turns.finished(pod);
    await clock.advance(newsMs);
    for (const pod of pods) turns.over(pod);
  };

  test('are few while it is known late what became of the pods', async () => {
    const pods = crowd(3 * atFirst);
    start(pods);
    await finishAll(pods.slice(0, atFirst), 101);
    expect(turns.size).toBe(few);
    expect(called).toHaveLength(few);
  });

  test('become more again, one by one, when it is known in time', async () => {
    const pods = crowd(3 * atFirst);
    start(pods);
    await finishAll(pods.slice(0, atFirst), 101);
    const next = pods.slice(atFirst, atFirst + few);
    start(next);
    await finishAll(next, 100);
    expect(turns.size).toBe(2 * few);
  });

  test('are few when it does not become known at all', async () => {
    const pods = crowd(3 * atFirst);
    start(pods);
    for (const pod of pods.slice(0, atFirst)) turns.finished(pod);
    await clock.advance(2_000);
    expect(turns.size).toBe(few);
  });

  describe('while those of a crowd are few', () => {
    const others = crowd(3 * few, 'bank');
    beforeEach(async () => {
      const pods = crowd(3 * atFirst);
      start(pods);
      await finishAll(pods.slice(0, atFirst), 101);
      called = [];
    });

    test('are for a few of another namespace at once', () => {
      expect(start(others).filter(Boolean)).toHaveLength(few);
    });

    test('go to the next of that namespace whatever the crowd does', () => {
      start(others);
      const [first] = others;
      if (!first) throw new Error('Nobody is there');
      turns.over(first);
      expect(called).toEqual([`bank/web-${few}`]);
    });

    test('go to a namespace that has none before those of others go on', () => {
      for (let i = 0; i < 7; i++) start(crowd(3 * few, `ns-${i}`));
      start(others);
      for (let i = 0; i < 7; i++) turns.over({ namespace: `ns-${i}`, name: 'web-0' });
      turns.over({ namespace: 'ns-0', name: 'web-1' });
      expect(called).toContain('bank/web-0');
    });

    test('are for some namespaces, not for hundreds', () => {
      for (let i = 0; i < 100; i++) start(crowd(few, `ns-${i}`));
      expect(turns.size).toBe(16);
    });
  });

  test('leave nothing behind when they are disposed of', () => {
    start(crowd(100));
    turns[Symbol.dispose]();
    expect(clock.pendingTimers).toBe(0);
  });
});
