import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fifo } from './fifo.ts';

test('Fifo gives back what it was given, in order, however the pushes and shifts are mixed', () => {
  const bursts = fc.array(
    fc.record({ pushes: fc.nat({ max: 1500 }), shifts: fc.nat({ max: 1500 }) }),
    { maxLength: 8 },
  );
  fc.assert(
    fc.property(bursts, (steps) => {
      const fifo = new Fifo<number>();
      const model: number[] = [];
      let next = 0;
      for (const { pushes, shifts } of steps) {
        for (let i = 0; i < pushes; i++) model.push(fifoPush(fifo, next++));
        const count = Math.min(shifts, model.length);
        expect(Array.from({ length: count }, () => fifo.shift())).toEqual(model.splice(0, count));
        expect(fifo.size).toBe(model.length);
      }
      expect(Array.from({ length: model.length }, () => fifo.shift())).toEqual(model);
      expect(fifo.shift()).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});

function fifoPush(fifo: Fifo<number>, value: number): number {
  fifo.push(value);
  return value;
}
