import { seededRandom } from '../seeded-random.ts';
import { Choice } from './choice.ts';
import { get, list } from './choose-read.ts';
import { remove, removeCollection } from './choose-removal.ts';
import { scale, writeStatus } from './choose-subresource.ts';
import { apply, create, patch, update } from './choose-write.ts';
import type { Program, Step } from './program.ts';
import { type KindName, kindNames, type SampleKind, sampleKinds } from './sample-kinds.ts';
import type { Draft, Scene } from './scene.ts';

/** The program of a seed: always the same one. Under another name it does the same in other namespaces. */
export function generateProgram(seed: number, name = `p${seed}`): Program {
  const choice = new Choice(seededRandom(seed));
  const namespaces = [`${name}-a`, `${name}-b`, `${name}-c`] as const;
  const kinds = [choice.pick(kindNames), choice.pick(kindNames), choice.pick(kindNames)];
  const length = choice.between(5, 40);
  const steps: Step[] = [];
  while (steps.length < length) {
    steps.push(chooseStep({ choice, name, namespaces, steps }, choice.pick(kinds)));
  }
  return { seed, name, namespaces, kinds: [...new Set(kinds)], steps };
}

type Verb = (scene: Scene) => Step;

const verbs: readonly (readonly [number, Verb])[] = [
  [24, create],
  [6, get],
  [8, list],
  [14, update],
  [14, patch],
  [14, apply],
  [9, remove],
  [2, removeCollection],
  [7, writeStatus],
  [4, scale],
];

function chooseStep(draft: Draft, kind: KindName): Step {
  const { choice, namespaces } = draft;
  const sample: SampleKind = sampleKinds[kind];
  const namespace = choice.chance(0.8) ? namespaces[0] : namespaces[1];
  const target = sample.kind.namespaced
    ? { namespace, name: choice.pick(['x', 'y', 'z']) }
    : { name: choice.chance(0.1) ? namespaces[1] : namespaces[2] };
  const caller = choice.chance(0.5) ? 'ada' : 'bob';
  return choice.weighted(verbs)({ ...draft, sample, target: { ...target, caller, kind } });
}
