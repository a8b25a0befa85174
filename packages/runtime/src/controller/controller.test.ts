import { ApiError, keyString, type ObjectKey, sleep } from '@liqo/kube';
import { isList, isWatch, refusal } from '@liqo/testkit/faults';
import { expect, test } from 'vitest';
import { Metrics } from '../metrics/metrics.ts';
import { ListWatchWorld } from '../testing/list-watch-world.ts';
import { primary } from './cache-sources.ts';
import { type ControllerOptions, startController } from './controller.ts';
import { external } from './external-source.ts';
import { done, requeueAfter, TerminalError } from './outcome.ts';
import type { Reconcile } from './reconcile-run.ts';

/** A world with a controller of its own keys: whatever is in `kick` is reconciled. */
function start(reconcile: Reconcile, options: Partial<ControllerOptions> = {}) {
  const world = new ListWatchWorld();
  const { clock, random, log } = world;
  const kick = external();
  const controller = startController({
    name: 'test',
    reconcile,
    sources: [kick],
    clock,
    random,
    log,
    ...options,
  });
  return { world, clock, kick, controller };
}

/** A reconcile that notes the key and the time of every run, and does what it is told. */
function recording(behave: (run: number, key: ObjectKey) => ReturnType<Reconcile> | undefined) {
  const runs: string[] = [];
  const reconcile: Reconcile = async (key) => {
    runs.push(keyString(key));
    return (await behave(runs.length, key)) ?? done;
  };
  return { runs, reconcile };
}

const web = { namespace: 'shop', name: 'web' };

test('startController() reconciles what is there, and then what changes, once per change', async () => {
  const { runs, reconcile } = recording(() => undefined);
  const world = new ListWatchWorld();
  world.put('shop/web');
  world.put('bank/web');
  await using informer = await world.startWatching();
  const sources = [primary(informer)];
  await using _ = startController({ name: 'test', reconcile, sources, ...world });
  await world.clock.settle();
  expect(runs).toEqual(['bank/web', 'shop/web']);
  world.put('shop/web', '2');
  await world.clock.advance(600_000);
  expect(runs).toEqual(['bank/web', 'shop/web', 'shop/web']);
});

test('startController() reconciles nothing before all its caches are complete, and says for what it waits', async () => {
  const { runs, reconcile } = recording(() => undefined);
  const [ready, late] = [new ListWatchWorld(), new ListWatchWorld()];
  ready.put('shop/web');
  late.script.next(isList, ...Array(60).fill(refusal(500)));
  await using primaryInformer = await ready.startWatching();
  await using read = late.startInformer({ clock: ready.clock, log: late.log });
  await using controller = startController({
    name: 'test',
    reconcile,
    sources: [primary(primaryInformer)],
    caches: [read],
    ...ready,
  });
  await ready.clock.advance(125_000);
  expect(runs).toEqual([]);
  expect(controller.whyNotReady()).toBe('waiting for the caches of ConfigMap');
  expect(ready.linesOf('warn')).toEqual(['Still waiting for caches']);
  await ready.clock.advance(600_000);
  expect(runs).toEqual(['shop/web']);
  expect(controller.whyNotReady()).toBeUndefined();
});

test('startController() runs a key again when it asked for that', async () => {
  const { runs, reconcile } = recording(async (run) =>
    run < 3 ? requeueAfter(1000, 'waiting for the provider') : done,
  );
  const { clock, kick, controller } = start(reconcile);
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(999);
  expect(runs).toHaveLength(1);
  await clock.advance(1);
  expect(runs).toHaveLength(2);
  await clock.advance(600_000);
  expect(runs).toHaveLength(3);
});

test('startController() retries what throws with growing waits, and logs each attempt once', async () => {
  const { runs, reconcile } = recording(async (run) => {
    if (run <= 8) throw new Error('Cannot reach the provider');
    return done;
  });
  const { world, clock, kick, controller } = start(reconcile);
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(100);
  expect(runs.length).toBeGreaterThan(3);
  expect(runs.length).toBeLessThan(7);
  await clock.advance(60_000);
  expect(runs).toHaveLength(9);
  const errors = world.logLines.filter((line) => line.level === 'error');
  expect(errors).toHaveLength(8);
  expect(errors[7]).toMatchObject({
    msg: 'Reconcile failed: trying again',
    controller: 'test',
    object: 'shop/web',
    reconcile: 8,
    err: { message: 'Cannot reach the provider' },
    againInMs: expect.any(Number),
  });
});

test('startController() waits as long as a busy server asks', async () => {
  const busy = new ApiError({ code: 429 }, { retryAfterMs: 30_000 });
  const { runs, reconcile } = recording(async (run) => {
    if (run === 1) throw new Error('Cannot label the node', { cause: busy });
    return done;
  });
  const { clock, kick, controller } = start(reconcile);
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(29_000);
  expect(runs).toHaveLength(1);
  await clock.advance(1_000);
  expect(runs).toHaveLength(2);
});

test('startController() repeats a conflict quickly and without a word above debug', async () => {
  const { runs, reconcile } = recording(async (run) => {
    if (run <= 3) throw new ApiError({ code: 409, reason: 'Conflict' });
    return done;
  });
  const { world, clock, kick, controller } = start(reconcile);
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(50);
  expect(runs).toHaveLength(4);
  expect(world.logLines.filter((line) => line.level !== 'debug')).toEqual([]);
});

test('startController() leaves a terminal error alone until something changes, and tells of it', async () => {
  const told: string[] = [];
  const { runs, reconcile } = recording(async () => {
    throw new TerminalError('Cannot twin "shop": the name is taken', { reason: 'NameTaken' });
  });
  const { world, clock, kick, controller } = start(reconcile, {
    onTerminalError: async (key, error) => {
      told.push(`${keyString(key)} ${error.reason}`);
    },
  });
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(3_600_000);
  expect(runs).toHaveLength(1);
  expect(told).toEqual(['shop/web NameTaken']);
  expect(world.linesOf('error')).toEqual(['Reconcile failed: only a change can help']);
  kick.enqueue(web);
  await clock.settle();
  expect(runs).toHaveLength(2);
});

test('startController() retries when a terminal error could not be told', async () => {
  let told = 0;
  const { runs, reconcile } = recording(async () => {
    throw new TerminalError('Cannot twin', { reason: 'NameTaken' });
  });
  const { clock, kick, controller } = start(reconcile, {
    onTerminalError: () => {
      told += 1;
      if (told > 1) return Promise.resolve();
      throw new ApiError({ code: 500, message: 'Cannot write the condition' });
    },
  });
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(60_000);
  expect(runs).toHaveLength(2);
  expect(told).toBe(2);
});

test('startController() aborts a reconcile at its deadline and tries again', async () => {
  const reasons: unknown[] = [];
  let runs = 0;
  const { world, clock, kick, controller } = start(
    async (_, { signal }) => {
      runs += 1;
      if (runs > 1) return done;
      await sleep(clock, 3_600_000, signal).catch((reason: unknown) => reasons.push(reason));
      throw new Error('Cannot go on');
    },
    { reconcileTimeoutMs: 10_000 },
  );
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(9_999);
  expect(reasons).toEqual([]);
  await clock.advance(1_000);
  expect(reasons).toMatchObject([
    { name: 'DeadlineError', message: 'Cannot reconcile "shop/web": not finished within 10 s' },
  ]);
  expect(runs).toBe(2);
  expect(world.logLines.find((line) => line.level === 'error')).toMatchObject({
    err: { name: 'DeadlineError' },
    failure: 'timeout',
  });
});

test('startController() goes on with other keys when a reconcile does not heed its signal, but never runs that key twice', async () => {
  let release: () => void = () => undefined;
  const { runs, reconcile } = recording((run) =>
    run === 1 ? new Promise((resolve) => (release = () => resolve(done))) : undefined,
  );
  const { clock, kick, controller } = start(reconcile, { reconcileTimeoutMs: 10_000 });
  await using _ = controller;
  kick.enqueue({ name: 'stuck' });
  kick.enqueue({ name: 'other' });
  await clock.advance(9_000);
  expect(runs).toEqual(['stuck']);
  await clock.advance(600_000);
  expect(runs).toEqual(['stuck', 'other']);
  release();
  await clock.settle();
  expect(runs).toEqual(['stuck', 'other', 'stuck']);
});

test('startController() survives reconciles that throw at once, or things that are no errors', async () => {
  const { runs, reconcile } = recording(() => undefined);
  const { world, clock, kick, controller } = start((key, context) => {
    if (runs.length === 0 && key.name === 'bad') {
      runs.push('threw');
      throw 'not even an error';
    }
    return reconcile(key, context);
  });
  await using _ = controller;
  kick.enqueue({ name: 'bad' });
  kick.enqueue({ name: 'good' });
  await clock.advance(1000);
  expect(runs).toEqual(['threw', 'good', 'bad']);
  expect(world.logLines.find((line) => line.level === 'error')).toMatchObject({ failure: 'panic' });
});

test('startController() reconciles as many keys at once as it may, and no key twice at once', async () => {
  const running: string[] = [];
  let most = 0;
  const { clock, kick, controller } = start(
    async (key, { signal }) => {
      expect(running).not.toContain(key.name);
      running.push(key.name);
      most = Math.max(most, running.length);
      await sleep(clock, 100, signal);
      running.splice(running.indexOf(key.name), 1);
      return done;
    },
    { concurrency: 3 },
  );
  await using _ = controller;
  for (let round = 0; round < 5; round++) {
    for (const name of ['a', 'b', 'c', 'd', 'e']) kick.enqueue({ name });
    await clock.advance(30);
  }
  await clock.advance(5000);
  expect(most).toBe(3);
  expect(running).toEqual([]);
});

test('startController() lets namespaces take turns', async () => {
  const { runs, reconcile } = recording(() => undefined);
  const { clock, kick, controller } = start(reconcile);
  await using _ = controller;
  for (let i = 0; i < 2000; i++) kick.enqueue({ namespace: 'burst', name: `pod-${i}` });
  kick.enqueue(web);
  await clock.settle();
  expect(runs.indexOf('shop/web')).toBe(1);
  expect(runs).toHaveLength(2001);
});

test('startController() does not run a key again before the cache shows what it wrote', async () => {
  const world = new ListWatchWorld();
  const written = world.put('shop/web', '1');
  await using informer = await world.startWatching();
  const seen: (string | undefined)[] = [];
  const kick = external();
  const reconcile: Reconcile = async (key, context) => {
    seen.push(informer.get(key)?.data?.value);
    if (seen.length > 1) return done;
    world.script.next(isWatch, refusal(500));
    world.server.disconnect();
    context.wrote(informer, world.put('shop/web', '2'));
    kick.enqueue(key);
    return done;
  };
  await using _ = startController({ name: 'test', reconcile, sources: [kick], ...world });
  kick.enqueue(written.metadata);
  await world.clock.settle();
  expect(seen).toEqual(['1']);
  await world.clock.advance(1000);
  expect(seen).toEqual(['1', '2']);
});

test('startController() does not wait for ever for a cache to show what was written', async () => {
  const { clock, kick, controller } = start(async (_, context) => {
    runs += 1;
    context.wrote({ seen: (_written, signal) => sleep(clock, 3_600_000, signal) }, stored);
    return done;
  });
  let runs = 0;
  const stored = new ListWatchWorld().put('shop/web');
  await using _ = controller;
  kick.enqueue(web);
  await clock.advance(100);
  kick.enqueue(web);
  await clock.advance(4_000);
  expect(runs).toBe(1);
  await clock.advance(1_000);
  expect(runs).toBe(2);
});

test('startController() measures under the names of controller-runtime', async () => {
  const metrics = new Metrics();
  const endings: readonly (() => ReturnType<Reconcile>)[] = [
    async () => done,
    async () => requeueAfter(1, 'waiting'),
    () => Promise.reject(new ApiError({ code: 409, reason: 'Conflict' })),
    () => Promise.reject(new Error('ordinary')),
    () => Promise.reject(new TypeError('panic')),
    () => Promise.reject(new TerminalError('terminal', { reason: 'NameTaken' })),
  ];
  const { reconcile } = recording((run) => endings[run - 1]?.());
  const { clock, kick, controller } = start(reconcile, { metrics, concurrency: 4 });
  await using _ = controller;
  for (let i = 0; i < endings.length; i++) {
    kick.enqueue({ name: `key-${i}` });
    await clock.settle();
  }
  const text = await metrics.text();
  for (const line of [
    'controller_runtime_reconcile_total{controller="test",result="success"} 1',
    'controller_runtime_reconcile_total{controller="test",result="requeue_after"} 1',
    'controller_runtime_reconcile_total{controller="test",result="requeue"} 1',
    'controller_runtime_reconcile_total{controller="test",result="error"} 3',
    'controller_runtime_reconcile_errors_total{controller="test"} 3',
    'controller_runtime_terminal_reconcile_errors_total{controller="test"} 1',
    'controller_runtime_reconcile_panics_total{controller="test"} 1',
    'controller_runtime_max_concurrent_reconciles{controller="test"} 4',
    'controller_runtime_active_workers{controller="test"} 0',
    'controller_runtime_reconcile_time_seconds_count{controller="test"} 6',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/workqueue_retries_total\{.*name="test".*\} 3/);
});

test('startController() lets running reconciles finish when it stops, and starts no more', async () => {
  const finished: string[] = [];
  const { clock, kick, controller } = start(async (key, { signal }) => {
    await sleep(clock, 2_000, signal);
    finished.push(key.name);
    return done;
  });
  kick.enqueue({ name: 'running' });
  kick.enqueue({ name: 'waiting' });
  await clock.settle();
  const stopped = controller[Symbol.asyncDispose]();
  kick.enqueue({ name: 'late' });
  await clock.advance(10_000);
  await stopped;
  expect(finished).toEqual(['running']);
  expect(clock.pendingTimers).toBe(0);
});

test('startController() aborts reconciles that take too long to finish when it stops, and calls that no error', async () => {
  const reasons: unknown[] = [];
  const { world, clock, kick, controller } = start(async (_, { signal }) => {
    await sleep(clock, 60_000, signal).catch((reason: unknown) => {
      reasons.push(reason);
      throw reason;
    });
    return done;
  });
  kick.enqueue(web);
  await clock.settle();
  const stopped = controller[Symbol.asyncDispose]();
  await clock.advance(4_999);
  expect(reasons).toEqual([]);
  await clock.advance(1);
  await stopped;
  expect(reasons).toHaveLength(1);
  expect(world.linesOf('error')).toEqual([]);
  expect(clock.pendingTimers).toBe(0);
});

test('startController() can be stopped at once, even while it waits to see a write', async () => {
  const world = new ListWatchWorld();
  const written = world.put('shop/web');
  await using informer = await world.startWatching();
  const future = { ...written, metadata: { ...written.metadata, resourceVersion: '1000' } };
  const { clock, kick, controller } = start(async (_, context) => {
    context.wrote(informer, future);
    return done;
  });
  kick.enqueue(web);
  await clock.settle();
  await controller.stop({ drainMs: 0 });
  expect(clock.pendingTimers).toBe(0);
});

test('startController() stops in the end even when a reconcile does not, and names it', async () => {
  const { world, clock, kick, controller } = start(() => new Promise(() => undefined));
  kick.enqueue(web);
  await clock.settle();
  const stopped = controller[Symbol.asyncDispose]();
  await clock.advance(10_000);
  await stopped;
  expect(world.logLines.at(-1)).toMatchObject({ level: 'warn', objects: ['shop/web'] });
});

test('startController() can be stopped before it began', async () => {
  const { runs, reconcile } = recording(() => undefined);
  const world = new ListWatchWorld();
  world.put('shop/web');
  await using informer = world.startInformer();
  const sources = [primary(informer)];
  const controller = startController({ name: 'test', reconcile, sources, ...world });
  await controller[Symbol.asyncDispose]();
  await world.clock.settle();
  expect(runs).toEqual([]);
  expect(world.linesOf('error')).toEqual([]);
});

test('startController() starts nothing when it is stopped in the moment its caches are complete', async () => {
  const world = new ListWatchWorld();
  const informer = await world.startWatching();
  const { runs, reconcile } = recording(() => undefined);
  const keys = external();
  keys.enqueue(web);
  const sources = [primary(informer), keys];
  const controller = startController({ name: 'test', reconcile, sources, ...world });
  await controller[Symbol.asyncDispose]();
  await informer[Symbol.asyncDispose]();
  await world.clock.settle();
  expect(runs).toEqual([]);
  expect(world.clock.pendingTimers).toBe(0);
});

test('startController() says so when it cannot start because a cache was stopped', async () => {
  const world = new ListWatchWorld();
  world.script.next(isList, refusal(403));
  const informer = world.startInformer();
  const { reconcile } = recording(() => undefined);
  const sources = [primary(informer)];
  await using _ = startController({ name: 'test', reconcile, sources, ...world });
  await informer[Symbol.asyncDispose]();
  await world.clock.settle();
  expect(world.linesOf('error')).toEqual(['Cannot start the controller']);
});
