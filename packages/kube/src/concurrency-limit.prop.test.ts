import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const step = fc.oneof(
  fc.record({ do: fc.constant('acquire' as const) }),
  fc.record({ do: fc.constant('giveUp' as const), which: fc.nat() }),
  fc.record({
    do: fc.constant('release' as const),
    outcome: fc.constantFrom('answered' as const, 'refused' as const, 'failed' as const),
    tookMs: fc.integer({ min: 1, max: 5_000 }),
  }),
);

test('ConcurrencyLimit stays within its bounds, serves in order and forgets nobody', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { maxLength: 200 }),
    fc.integer({ min: 1, max: 8 }),
    async (steps, initial) => {
      const limit = new ConcurrencyLimit({ min: 1, initial, max: 12 });
      const waiting = new Map<number, AbortController>();
      const served: number[] = [];
      let [running, asked, nowMs] = [0, 0, 0];
      const start = (id: number) => {
        waiting.delete(id);
        served.push(id);
        running += 1;
      };
      const settle = async () => {
        await new Promise(setImmediate);
        expect(limit.running).toBe(running);
        expect(limit.current).toBeGreaterThanOrEqual(1);
        expect(limit.current).toBeLessThanOrEqual(12);
        expect(waiting.size === 0 || running >= limit.current).toBe(true);
      };
      for (const action of steps) {
        nowMs += 1;
        if (action.do === 'acquire') {
          const [id, controller] = [asked++, new AbortController()];
          const turn = limit.acquire(controller.signal);
          if (turn === undefined) start(id);
          else {
            waiting.set(id, controller);
            turn.then(() => start(id)).catch(() => waiting.delete(id));
          }
        } else if (action.do === 'giveUp') {
          [...waiting.values()][action.which % Math.max(1, waiting.size)]?.abort();
        } else if (running > 0) {
          running -= 1;
          limit.release(action.outcome, nowMs - action.tookMs, nowMs);
        }
        await settle();
      }
      while (running > 0) {
        running -= 1;
        limit.release('failed', nowMs, nowMs);
        await settle();
      }
      expect(waiting.size).toBe(0);
      expect(served).toEqual(served.toSorted((a, b) => a - b));
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
