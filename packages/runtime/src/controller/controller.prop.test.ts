import { ApiError, keyString, sleep } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Informer } from '../cache/informer.ts';
import { type Config, ListWatchWorld } from '../testing/list-watch-world.ts';
import { primary } from './cache-sources.ts';
import { type Controller, startController } from './controller.ts';
import { done, type Outcome, requeueAfter } from './outcome.ts';
import type { Reconcile } from './reconcile-run.ts';

type Fate = 'well' | 'slow' | 'later' | 'conflict' | 'error' | 'panic' | 'error afterwards';

/** A controller that copies the value of every object, and whose runs go as the fates say, then well. */
class Mirror {
  readonly copies = new Map<string, string>();
  readonly #world: ListWatchWorld;
  readonly #informer: Informer<Config>;
  readonly #fates: Fate[];
  readonly #running = new Set<string>();
  readonly #controller: Controller;

  constructor(world: ListWatchWorld, fates: readonly Fate[], concurrency: number) {
    this.#world = world;
    this.#fates = [...fates];
    this.#informer = world.startInformer();
    const sources = [primary(this.#informer)];
    const reconcile = this.#reconcile;
    this.#controller = startController({
      name: 'mirror',
      reconcile,
      sources,
      concurrency,
      ...world,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#controller[Symbol.asyncDispose]();
    await this.#informer[Symbol.asyncDispose]();
  }

  readonly #reconcile: Reconcile = async (key, { signal }) => {
    const name = keyString(key);
    expect(this.#running.has(name)).toBe(false);
    this.#running.add(name);
    try {
      const fate = this.#fates.shift() ?? 'well';
      return (await this.#meet(fate, signal)) ?? (await this.#copy(name, fate, signal));
    } finally {
      this.#running.delete(name);
    }
  };

  async #meet(fate: Fate, signal: AbortSignal): Promise<Outcome | undefined> {
    if (fate === 'slow') await sleep(this.#world.clock, 700, signal);
    if (fate === 'conflict') throw new ApiError({ code: 409, reason: 'Conflict' });
    if (fate === 'error') throw new Error('Cannot');
    if (fate === 'panic') throw new TypeError('undefined is not a function');
    return fate === 'later' ? requeueAfter(300, 'waiting') : undefined;
  }

  async #copy(name: string, fate: Fate, signal: AbortSignal): Promise<Outcome> {
    const [namespace = '', own = ''] = name.split('/');
    const wanted = this.#informer.get({ namespace, name: own })?.data?.value;
    await sleep(this.#world.clock, 1, signal);
    if (wanted === undefined) this.copies.delete(name);
    else this.copies.set(name, wanted);
    if (fate === 'error afterwards') throw new Error('Cannot say that it is done');
    return done;
  }
}

const keys = fc.constantFrom('shop/a', 'shop/b', 'bank/a', 'bank/b');

const steps = fc.oneof(
  fc.tuple(keys, fc.nat({ max: 9 })).map(([key, value]) => ({
    name: `put ${key}=${value}`,
    run: (world: ListWatchWorld) => void world.put(key, String(value)),
  })),
  keys.map((key) => ({ name: `remove ${key}`, run: (world: ListWatchWorld) => world.remove(key) })),
  fc.constant({ name: 'expire', run: ({ server }: ListWatchWorld) => server.expireWatches() }),
  fc.constantFrom(0, 3, 50, 5_000).map((ms) => ({
    name: `wait ${ms}`,
    run: ({ clock }: ListWatchWorld) => clock.advance(ms),
  })),
);

const stories = fc.array(steps, { maxLength: 40, size: 'max' }).map((story) => ({
  story,
  toString: () => story.map((step) => step.name).join(', '),
}));

const fates = fc.array(
  fc.constantFrom<Fate>('well', 'slow', 'later', 'conflict', 'error', 'panic', 'error afterwards'),
  { maxLength: 60, size: 'max' },
);

test('startController() makes the world as wanted in the end, whatever fails on the way', async () => {
  const concurrencies = fc.integer({ min: 1, max: 4 });
  await fc.assert(
    fc.asyncProperty(stories, fates, concurrencies, async ({ story }, fate, concurrency) => {
      const world = new ListWatchWorld();
      await using mirror = new Mirror(world, fate, concurrency);
      for (const step of story) await step.run(world);
      await world.clock.advance(7_200_000);
      const wanted = world.server
        .objects()
        .map((object) => [keyString(object.metadata), object.data?.value]);
      expect([...mirror.copies].sort()).toEqual(wanted);
    }),
    { numRuns: 30 },
  );
});
