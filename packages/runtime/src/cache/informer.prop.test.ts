import { type ConfigMap, keyString, type ObjectOf, type Stored } from '@liqo/kube';
import { refusal } from '@liqo/testkit/faults';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ListWatchWorld } from '../testing/list-watch-world.ts';
import type { Informer } from './informer.ts';

type Config = Stored<ObjectOf<typeof ConfigMap>>;
type ConfigInformer = Informer<ObjectOf<typeof ConfigMap>>;

/** A second cache, built from what handlers are told alone; it objects to whatever does not fit what it was told before. */
class Follower {
  readonly objects = new Map<string, Config>();

  follow(informer: ConfigInformer): void {
    informer.subscribe({
      onAdd: (object) => {
        expect(this.objects.has(keyString(object.metadata))).toBe(false);
        this.#set(informer, object);
      },
      onUpdate: (before, after) => {
        expect(this.objects.get(keyString(before.metadata))).toBe(before);
        expect(after.metadata.uid).toBe(before.metadata.uid);
        this.#set(informer, after);
      },
      onDelete: (lastKnown) => {
        const key = keyString(lastKnown.metadata);
        expect(this.objects.get(key)).toBe(lastKnown);
        this.objects.delete(key);
      },
    });
  }

  #set(informer: ConfigInformer, object: Config): void {
    expect(informer.get(object.metadata)).toBe(object);
    this.objects.set(keyString(object.metadata), object);
  }
}

interface Step {
  readonly name: string;
  run(world: ListWatchWorld, informer: ConfigInformer): void | Promise<void>;
}

const keys = fc.constantFrom('shop/a', 'shop/b', 'bank/a', 'bank/b', 'bank/c');
const codes = fc.constantFrom(403, 410, 429, 500);
const verbs = fc.constantFrom('list', 'watch');

const changes: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(keys, fc.nat({ max: 9 })).map(([key, value]) => ({
    name: `put ${key}=${value}`,
    run: (world: ListWatchWorld) => void world.put(key, String(value)),
  })),
  keys.map((key) => ({
    name: `remove ${key}`,
    run: (world: ListWatchWorld) => world.remove(key),
  })),
);

const faults: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(
    { name: 'end watches', run: ({ server }) => server.disconnect() },
    { name: 'break connections', run: ({ server }) => server.breakConnections() },
    { name: 'expire watches', run: ({ server }) => server.expireWatches() },
    { name: 'compact', run: ({ server }) => server.compact() },
    { name: 'send garbage', run: ({ server }) => server.sendLine('garbage') },
    { name: 'send bookmarks', run: ({ server }) => server.sendBookmarks() },
  ),
  fc.tuple(verbs, codes).map(([verb, code]) => ({
    name: `refuse a ${verb} with ${code}`,
    run: ({ script }: ListWatchWorld) => script.next((call) => call.verb === verb, refusal(code)),
  })),
);

const pauses: fc.Arbitrary<Step> = fc.oneof(
  fc.constant<Step>({ name: 'settle', run: ({ clock }) => clock.settle() }),
  fc.constantFrom(10, 500, 40_000).map((ms) => ({
    name: `wait ${ms}`,
    run: ({ clock }: ListWatchWorld) => clock.advance(ms),
  })),
);

const steps = fc.oneof({ weight: 4, arbitrary: changes }, { weight: 2, arbitrary: faults }, pauses);

const histories = fc.array(steps, { maxLength: 40, size: 'max' }).map((history) => ({
  history,
  toString: () => history.map((step) => step.name).join(', '),
}));

test('Informer ends up with what the server has, and tells of nothing but add, update, delete in order', async () => {
  await fc.assert(
    fc.asyncProperty(histories, fc.constantFrom(1, 2, 500), async ({ history }, pageSize) => {
      const world = new ListWatchWorld();
      const followers = [new Follower(), new Follower()];
      const informer = world.startInformer({ pageSize });
      followers[0]?.follow(informer);
      for (const step of history) await step.run(world, informer);
      followers[1]?.follow(informer);
      await world.clock.advance(900_000);
      const expected = world.server.objects();
      expect(sorted(informer.list())).toEqual(expected);
      for (const { objects } of followers) expect(sorted([...objects.values()])).toEqual(expected);
      expect(informer.resourceVersion).toBe(world.server.resourceVersion);
      expect(world.linesOf('error')).toEqual([]);
      await informer[Symbol.asyncDispose]();
      expect(world.clock.pendingTimers).toBe(0);
      expect(world.server.openWatches).toBe(0);
    }),
    { numRuns: 60 },
  );
});

function sorted(objects: readonly Config[]): readonly Config[] {
  return objects.toSorted((a, b) => (keyString(a.metadata) < keyString(b.metadata) ? -1 : 1));
}
