import { LearntLimit, type ObjectKey } from '@liqo/kube';
import { VirtualClock } from '@liqo/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Turns } from './turns.ts';

type Happening =
  | { readonly type: 'come'; readonly namespace: string; readonly count: number }
  | { readonly type: 'end'; readonly count: number; readonly newsMs: number }
  | { readonly type: 'pass'; readonly ms: number };

const come = fc.record({
  type: fc.constant('come' as const),
  namespace: fc.constantFrom('shop', 'bank'),
  count: fc.integer({ min: 1, max: 60 }),
});
const end = fc.record({
  type: fc.constant('end' as const),
  count: fc.integer({ min: 1, max: 20 }),
  newsMs: fc.integer({ min: 0, max: 400 }),
});
const pass = fc.record({
  type: fc.constant('pass' as const),
  ms: fc.integer({ min: 0, max: 400 }),
});
const happenings: fc.Arbitrary<Happening[]> = fc.array(fc.oneof(come, end, pass), {
  maxLength: 30,
});

/** Pods that come, have their turn and are done, and those who wait for theirs. */
class Crowd {
  readonly clock = new VirtualClock();
  readonly turns: Turns;
  readonly waiting = new Set<string>();
  readonly #having: ObjectKey[] = [];
  #number = 0;

  constructor() {
    const { clock } = this;
    const limit = new LearntLimit({ min: 10, initial: 10, queue: 1 });
    const onTurn = (pod: ObjectKey) => this.#take(pod);
    const bounds = { longestMs: 2_000, lateNewsMs: 100 };
    this.turns = new Turns({ ...bounds, clock, limit, onTurn });
  }

  async live(happening: Happening): Promise<void> {
    if (happening.type === 'come') this.#come(happening.namespace, happening.count);
    else if (happening.type === 'pass') await this.clock.advance(happening.ms);
    else await this.end(happening.count, happening.newsMs);
  }

  async end(count: number, newsMs: number): Promise<void> {
    const ending = this.#having.splice(0, count);
    for (const pod of ending) this.turns.finished(pod);
    await this.clock.advance(newsMs);
    for (const pod of ending) this.turns.over(pod);
  }

  #come(namespace: string, count: number): void {
    for (let i = 0; i < count; i++) this.#take({ namespace, name: `web-${this.#number++}` });
  }

  #take(pod: ObjectKey): void {
    const isTurn = this.turns.take(pod);
    if (isTurn) this.#having.push(pod);
    if (isTurn) this.waiting.delete(pod.name);
    else this.waiting.add(pod.name);
  }
}

test('Turns come to everybody in the end, whatever came before and however late news are', async () => {
  await fc.assert(
    fc.asyncProperty(happenings, fc.integer({ min: 0, max: 400 }), async (all, newsMs) => {
      const crowd = new Crowd();
      using _turns = crowd.turns;
      for (const happening of all) await crowd.live(happening);
      for (let round = 0; round < 1_000 && crowd.waiting.size > 0; round++) {
        await crowd.end(100, newsMs);
        await crowd.clock.advance(250);
      }
      expect([...crowd.waiting]).toEqual([]);
    }),
  );
});
