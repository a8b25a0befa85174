import { seededRandom, VirtualClock } from '@liqo/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkQueue } from './work-queue.ts';

/** What the queue is meant to be: when each key is due next, and which keys run. */
interface Model {
  nowMs: number;
  readonly dueMs: Map<string, number>;
  readonly running: Set<string>;
}

interface Real {
  readonly clock: VirtualClock;
  readonly queue: WorkQueue;
}

type Command = fc.AsyncCommand<Model, Real>;

function takeable(model: Model): readonly string[] {
  return [...model.dueMs]
    .filter(([key, dueMs]) => dueMs <= model.nowMs && !model.running.has(key))
    .map(([key]) => key);
}

function plan(model: Model, key: string, delayMs: number): void {
  model.dueMs.set(
    key,
    Math.min(model.dueMs.get(key) ?? Number.POSITIVE_INFINITY, model.nowMs + delayMs),
  );
}

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  const checked = async (model: Model, real: Real) => {
    await run(model, real);
    expect(real.queue.depth).toBe(takeable(model).length);
    expect([...real.queue.running].sort()).toEqual([...model.running].sort());
  };
  return { check: () => true, run: checked, toString: () => name };
}

const keys = fc.constantFrom('a/1', 'a/2', 'b/1', 'c/1');

const commands = [
  keys.map((key) =>
    command(`add ${key}`, async (model, { queue }) => {
      queue.add(key);
      plan(model, key, 0);
    }),
  ),
  fc.tuple(keys, fc.integer({ min: 1, max: 50 })).map(([key, delayMs]) =>
    command(`add ${key} after ${delayMs}`, async (model, { queue }) => {
      queue.addAfter(key, delayMs);
      plan(model, key, delayMs);
    }),
  ),
  keys.map((key) =>
    command(`add ${key} rate-limited`, async (model, { queue }) => {
      plan(model, key, queue.addRateLimited(key));
    }),
  ),
  fc.constant(
    command('take', async (model, { queue }) => {
      if (queue.depth === 0) return;
      const key = (await queue.take()) ?? '';
      expect(takeable(model)).toContain(key);
      model.dueMs.delete(key);
      model.running.add(key);
    }),
  ),
  keys.map((key) =>
    command(`done ${key}`, async (model, { queue }) => {
      queue.done(key);
      model.running.delete(key);
    }),
  ),
  fc.integer({ min: 1, max: 40 }).map((ms) =>
    command(`wait ${ms}`, async (model, { clock }) => {
      await clock.advance(ms);
      model.nowMs += ms;
    }),
  ),
];

test('WorkQueue keeps to its model under any sequence of calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40 }), async (sequence) => {
      await fc.asyncModelRun(() => {
        const clock = new VirtualClock();
        const queue = new WorkQueue({
          clock,
          random: seededRandom(1),
          fairnessOf: (key) => key[0] ?? '',
        });
        const model: Model = { nowMs: 0, dueMs: new Map(), running: new Set() };
        return { model, real: { clock, queue } };
      }, sequence);
    }),
    { numRuns: 100 },
  );
});

test('WorkQueue never runs a key in parallel with itself and never loses a change, in any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(keys, { minLength: 1, maxLength: 20 }),
      async (scheduler, changes) => {
        const queue = new WorkQueue({ clock: new VirtualClock(), random: seededRandom(1) });
        const wanted = new Map<string, number>();
        const seen = new Map<string, number>();
        const running = new Set<string>();
        const work = async () => {
          for (let key = await queue.take(); key !== undefined; key = await queue.take()) {
            expect(running.has(key)).toBe(false);
            running.add(key);
            const version = wanted.get(key) ?? 0;
            await scheduler.schedule(Promise.resolve(), `work on ${key}`);
            seen.set(key, version);
            running.delete(key);
            queue.done(key);
          }
        };
        const workers = [work(), work(), work()];
        for (const key of changes) {
          void scheduler.schedule(Promise.resolve(), `change ${key}`).then(() => {
            wanted.set(key, (wanted.get(key) ?? 0) + 1);
            queue.add(key);
          });
        }
        await scheduler.waitIdle();
        expect(seen).toEqual(wanted);
        queue.close();
        await Promise.all(workers);
      },
    ),
    { numRuns: 100 },
  );
});
