import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FairQueue, type Place } from './fair-queue.ts';

const names = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const places: fc.Arbitrary<readonly Place[]> = fc.array(fc.record({ flow: names, lane: names }), {
  maxLength: 60,
});

function fill(all: readonly Place[]): FairQueue {
  const queue = new FairQueue();
  all.forEach((place, at) => {
    queue.add(place, String(at));
  });
  return queue;
}

function takeAll(queue: FairQueue): number[] {
  const taken: number[] = [];
  for (let key = queue.shift(); key !== undefined; key = queue.shift()) taken.push(Number(key));
  return taken;
}

test('FairQueue hands out every key once, and those of a lane in order', () => {
  fc.assert(
    fc.property(places, (all) => {
      const queue = fill(all);
      expect(queue.size).toBe(all.length);
      const taken = takeAll(queue);
      expect(queue.size).toBe(0);
      expect([...taken].sort((a, b) => a - b)).toEqual(all.map((_, at) => at));
      for (const place of all) {
        const ofLane = taken.filter((at) => sameLane(all[at], place));
        expect(ofLane).toEqual([...ofLane].sort((a, b) => a - b));
      }
    }),
  );
});

test('FairQueue serves no flow twice while a key of another one waits', () => {
  fc.assert(
    fc.property(places, (all) => {
      const served = takeAll(fill(all)).map((at) => all[at]?.flow ?? '');
      served.forEach((flow, turn) => {
        const next = served.indexOf(flow, turn + 1);
        if (next === -1) return;
        const between = new Set(served.slice(turn + 1, next));
        const waiting = new Set(served.slice(next).filter((other) => other !== flow));
        expect([...waiting].filter((other) => !between.has(other))).toEqual([]);
      });
    }),
  );
});

test('FairQueue serves the second flow after one key of the first, however many lanes that has', () => {
  const queue = new FairQueue();
  for (let i = 0; i < 3000; i++) queue.add({ flow: 'a', lane: `namespace-${i}` }, `a${i}`);
  queue.add({ flow: 'b', lane: 'shop' }, 'b0');
  expect([queue.shift(), queue.shift(), queue.shift()]).toEqual(['a0', 'b0', 'a1']);
});

test('FairQueue passes over flows that may not be served, which keep their turn', () => {
  const queue = fill([
    { flow: 'a', lane: '' },
    { flow: 'b', lane: '' },
  ]);
  expect(queue.shift((flow) => flow === 'b')).toBe('1');
  expect(queue.shift((flow) => flow === 'b')).toBeUndefined();
  expect(queue.shift()).toBe('0');
});

test('FairQueue adds a key that waits already only once', () => {
  const queue = new FairQueue();
  for (let i = 0; i < 2; i++) queue.add({ flow: 'a', lane: 'x' }, 'key');
  expect(queue.size).toBe(1);
  queue.clear();
  expect([queue.size, queue.shift()]).toEqual([0, undefined]);
});

function sameLane(one: Place | undefined, other: Place): boolean {
  return one?.flow === other.flow && one.lane === other.lane;
}
