import { Choice, seededRandom } from '@liqo/testkit';
import type { Decision, Ingoing } from './offer-world.ts';

export interface OfferedSpec {
  /** Another consumer than this one is a mistake. */
  readonly consumerClusterID: string;
  readonly validMs: number;
}

/** What happens at once; a step that finds nothing to act on does nothing. */
export type OfferStep =
  | { readonly type: 'offer'; readonly provider: string; readonly spec: OfferedSpec }
  | { readonly type: 'refresh'; readonly provider: string; readonly cpu: string }
  | { readonly type: 'spoil' | 'withdraw' | 'remove'; readonly provider: string }
  | {
      readonly type: 'delete-virtual-node' | 'delete-kubelet' | 'delete-node';
      readonly provider: string;
    }
  | { readonly type: 'silence' | 'answer'; readonly provider: string }
  | { readonly type: 'decide'; readonly provider: string; readonly value: Decision }
  | { readonly type: 'configure'; readonly ingoing: Ingoing; readonly keepaliveThreshold: number }
  | { readonly type: 'unconfigure' | 'restart' | 'kill' | 'rest' }
  | { readonly type: 'crash'; readonly at: number; readonly when: 'after' | 'before' }
  | { readonly type: 'pass'; readonly ms: number };

export const providers: readonly string[] = ['p1', 'p2', 'p3', 'p4', 'p5'];

/** The story of a seed. It begins with a configuration in most cases, and ends at rest. */
export function generateOfferStory(seed: number): readonly OfferStep[] {
  const choice = new Choice(seededRandom(seed));
  const steps: OfferStep[] = choice.chance(0.9) ? [configure(choice)] : [];
  const length = choice.between(5, 12);
  for (let index = 0; index < length; index++) {
    steps.push(anything(choice));
    if (choice.chance(0.4)) steps.push({ type: 'pass', ms: choice.weighted(pauses) });
    if (choice.chance(0.08)) steps.push({ type: 'rest' });
  }
  return [...steps, { type: 'rest' }];
}

const pauses = [
  [6, 1],
  [4, 300],
  [6, 1_000],
  [6, 3_000],
  [3, 30_000],
  [1, 5 * 60_000],
  [1, 11 * 60_000],
] as const;

function configure(choice: Choice): OfferStep {
  return {
    type: 'configure',
    ingoing: {
      acceptPolicy: choice.weighted([
        [3, 'AutoAcceptMax'],
        [1, 'ManualAccept'],
      ] as const),
      maxAcceptableAdvertisements: choice.pick([0, 1, 1, 2, 2, 3, 5]),
      allowedClusterIDs: choice.weighted([
        [5, []],
        [1, ['p1', 'p2', 'p3']],
      ]),
      deniedClusterIDs: choice.weighted([
        [5, []],
        [1, ['p1']],
        [1, ['p2', 'p3']],
      ]),
    },
    keepaliveThreshold: choice.weighted([
      [3, 0],
      [1, 3],
    ]),
  };
}

function anything(choice: Choice): OfferStep {
  const provider = choice.pick(providers);
  const make = choice.weighted<() => OfferStep>([
    [12, () => ({ type: 'offer', provider, spec: offered(choice) })],
    [4, () => ({ type: 'refresh', provider, cpu: choice.pick(['1', '2', '8']) })],
    [1, () => ({ type: 'spoil', provider })],
    [2, () => ({ type: 'withdraw', provider })],
    [4, () => ({ type: 'remove', provider })],
    [2, () => ({ type: 'delete-virtual-node', provider })],
    [1, () => ({ type: 'delete-kubelet', provider })],
    [1, () => ({ type: 'delete-node', provider })],
    [1, () => ({ type: 'silence', provider })],
    [1, () => ({ type: 'answer', provider })],
    [3, () => ({ type: 'decide', provider, value: choice.pick(decisions) })],
    [6, () => configure(choice)],
    [1, () => ({ type: 'unconfigure' })],
    [1, () => ({ type: 'restart' })],
    [2, () => ({ type: 'kill' })],
    [5, () => crash(choice)],
  ]);
  return make();
}

function offered(choice: Choice): OfferedSpec {
  const consumerClusterID = choice.chance(0.9) ? 'rome' : 'oslo';
  return { consumerClusterID, validMs: choice.pick(validities) };
}

const validities = [60_000, 10 * 60_000, 60 * 60_000, 60 * 60_000];
const decisions: readonly Decision[] = ['Accepted', 'Pending', 'Refused'];

function crash(choice: Choice): OfferStep {
  return { type: 'crash', at: choice.between(1, 20), when: choice.pick(['before', 'after']) };
}
