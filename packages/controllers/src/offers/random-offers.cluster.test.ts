import type { ClusterSnapshot } from '@liqo/minicluster';
import { together } from '@liqo/runtime';
import { shrinkList } from '@liqo/testkit';
import { beforeAll, expect, test } from 'vitest';
import type { ControllerContext } from '../controller-context.ts';
import {
  generateOfferStory,
  type OfferStep,
  providers,
} from '../testing/offers/generate-offer-story.ts';
import { findWrongAtRest, findWrongInHistory } from '../testing/offers/offer-invariants.ts';
import { drawConsumer, OfferWorld, type Operator } from '../testing/offers/offer-world.ts';
import { OfferStory } from '../testing/offers/play-offer-story.ts';
import { startVirtualNodeController } from '../virtual-nodes/virtual-node-controller.ts';
import { startOfferController } from './offer-controller.ts';
import { startOfferKeepalive } from './offer-keepalive.ts';

/** `RANDOM_OFFERS=10000` for more of them, `RANDOM_OFFERS_FROM=4711 RANDOM_OFFERS=1` for one. */
const sequences = Number(process.env.RANDOM_OFFERS ?? 200);
const first = Number(process.env.RANDOM_OFFERS_FROM ?? 1);

let from: ClusterSnapshot;

beforeAll(async () => {
  from = await drawConsumer(providers);
});

const operator = (context: ControllerContext) =>
  together([
    startOfferController(context),
    startOfferKeepalive(context),
    startVirtualNodeController(context, { drainTimeoutMs: 60_000 }),
  ]);

const withoutNodes: Operator = (context) =>
  together([startOfferController(context), startOfferKeepalive(context)]);

/** Most sequences have VirtualNodes that nothing acts on: they go at once, and take a quarter of the time. */
const operatorOf = (seed: number) => (seed % 8 === 0 ? operator : withoutNodes);

async function play(seed: number, steps: readonly OfferStep[]): Promise<readonly string[]> {
  await using world = await OfferWorld.start({ from, seed, operator: operatorOf(seed) });
  const story = new OfferStory(world);
  for (const step of steps) {
    await story.take(step);
    if (step.type !== 'rest') continue;
    const wrongs = [
      ...(await findWrongAtRest(world)),
      ...findWrongInHistory(world.kubelets.history),
    ];
    if (wrongs.length > 0) return wrongs;
  }
  return [];
}

/** The sequence as short as it still goes wrong. */
async function explain(seed: number, wrongs: readonly string[]): Promise<string> {
  const goesWrong = async (steps: readonly OfferStep[]) =>
    (await play(seed, [...steps, { type: 'rest' }])).length > 0;
  const shortest = await shrinkList(generateOfferStory(seed), goesWrong);
  const lines = shortest.map((step) => JSON.stringify(step));
  return [`Sequence ${seed}: ${wrongs.join('; ')}`, ...lines].join('\n');
}

test(`offers are decided as the decision function says, whatever happens (${sequences} sequences from ${first} on)`, async () => {
  const explained: string[] = [];
  for (let seed = first; seed < first + sequences && explained.length < 3; seed++) {
    const wrongs = await play(seed, generateOfferStory(seed));
    if (wrongs.length > 0) explained.push(await explain(seed, wrongs));
  }
  expect(explained.join('\n\n')).toBe('');
}, 7_200_000);
