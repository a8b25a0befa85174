import { apiVersionOf, type JsonObject } from '@liqo/kube';
import type { Choice } from './choice.ts';
import { chooseAddress, chooseMetadata } from './choose-metadata.ts';
import type { Program, Step } from './program.ts';
import type { SampleKind } from './sample-kinds.ts';

/** A program so far. */
export interface Draft {
  readonly choice: Choice;
  readonly name: string;
  readonly namespaces: Program['namespaces'];
  readonly steps: readonly Step[];
}

/** A call about one object or collection, before it is known what it does. */
export interface Scene extends Draft {
  readonly sample: SampleKind;
  readonly target: Pick<Step, 'caller' | 'kind' | 'namespace' | 'name'>;
}

/** The steps that addressed, and may have got, the same object. */
export function writesOf({ steps, target }: Scene): readonly number[] {
  return steps.flatMap((step, index) => {
    const sameKind = step.kind === target.kind && step.namespace === target.namespace;
    const named = step.name ?? bodyName(step);
    const whole = step.subresource !== 'scale' && step.method !== 'DELETE';
    return sameKind && named === target.name && whole ? [index] : [];
  });
}

function bodyName({ body }: Step): unknown {
  return asObject(asObject(body).metadata).name;
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

/** The content as an object of the kind and, mostly, at the place that the call is about. */
export function withMetadata(scene: Scene, naming: object, content: JsonObject): JsonObject {
  const { choice, sample, name, steps, target } = scene;
  const { namespace } = target;
  const isNamespaced = sample.kind.namespaced;
  const chosen = chooseMetadata(choice, steps.length);
  const labels = { ...asObject(chosen.labels), ...(!isNamespaced && { program: name }) };
  const metadata = {
    ...chosen,
    ...(Object.keys(labels).length > 0 && { labels }),
    ...chooseAddress(choice, { ...(isNamespaced && { namespace }), ...naming }, target.name),
  };
  const { kind } = sample.kind;
  return {
    apiVersion: apiVersionOf(sample.kind),
    kind,
    metadata: metadata as JsonObject,
    ...content,
  };
}

export function writeOptions({ choice }: Scene): Step['query'] {
  return {
    ...(choice.chance(0.3) && { fieldManager: choice.pick(['ada', 'bob', 'carol']) }),
    ...(choice.chance(0.08) && { dryRun: 'All' }),
    ...(choice.chance(0.3) && { fieldValidation: choice.pick(['Strict', 'Warn', 'Ignore']) }),
  };
}

export function applyOptions({ choice }: Scene): Step['query'] {
  return {
    fieldManager: choice.pick(['ada', 'bob']),
    ...(choice.chance(0.35) && { force: 'true' }),
    ...(choice.chance(0.08) && { dryRun: 'All' }),
  };
}
