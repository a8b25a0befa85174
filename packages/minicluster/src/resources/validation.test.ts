import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { FieldProblem } from '../rest/refusal.ts';
import type { Item } from '../store/collection.ts';
import { create, resourcesByName, update } from './testing/written-object.ts';
import recorded from './validation.vectors.json' with { type: 'json' };

/**
 * What a kube-apiserver 1.35.4 found wrong with an object; with `change`, with that change to it, made when its status
 * was `state`. The messages end where the server begins to show differences, or values in their internal form.
 */
interface Vector {
  readonly resource: string;
  readonly object: KubeObject;
  readonly state?: object;
  readonly change?: object;
  readonly subresource?: string;
  readonly problems: readonly FieldProblem[];
}

const vectors = recorded.map((text): Vector => JSON.parse(text));
const resources = resourcesByName();

test.each(vectors.map((vector) => [`${vector.resource} ${titleOf(vector)}`, vector] as const))(
  '%s is refused in the words of the real server',
  (_, vector) => {
    expect(problemsOf(vector).map(comparable)).toEqual(vector.problems.map(comparable));
  },
);

function titleOf({ object, change }: Vector): string {
  const { metadata: _, ...content } = object as KubeObject & object;
  return JSON.stringify(change ?? content).slice(0, 80);
}

function problemsOf({ resource: name, object, state, change, subresource }: Vector) {
  const resource = resources.get(name);
  if (!resource) throw new Error(`There is no resource "${name}"`);
  const { item, problems } = create(resource, object);
  if (!change) return problems;
  const allocated = resource.strategy.allocations?.allocate(item, undefined) ?? item;
  const previous = { ...allocated, ...(state && { status: withState(allocated, state) }) } as Item;
  resource.strategy.allocations?.release(previous);
  return update(resource, previous, change, subresource).problems;
}

function withState(object: KubeObject, state: object): object {
  return { ...(object as { status?: object }).status, ...state };
}

function comparable({ field, reason, message }: FieldProblem): FieldProblem {
  const [line = ''] = message.split('\n');
  return {
    field,
    reason,
    message: line.replace(/^(Invalid value): \{.*\}: (field is immutable)$/, '$1: …: $2'),
  };
}
