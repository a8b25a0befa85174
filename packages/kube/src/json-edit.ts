import { isJsonObject, ownMember } from './json.ts';

/**
 * Edits of a JSON document that leave it as it is and return another one, which shares with it all that did not change.
 * Strict as RFC 6902 asks for: what is to be read, replaced or removed must be there, and an index has one spelling.
 */
export type Steps = readonly string[];

/** Why an edit is impossible: a fact in words, for a caller who knows what was to be edited. */
export class JsonEditError extends Error {
  override readonly name = 'JsonEditError';
}

export function readAt(document: unknown, steps: Steps): unknown {
  return steps.reduce(readChild, document);
}

/** Sets a member, or inserts an item before the index; `-` is the index after the last item. */
export function addAt(document: unknown, steps: Steps, value: unknown): unknown {
  return editAt(document, steps, {
    document: () => value,
    list: (items, step) => items.toSpliced(insertionIndex(items, step), 0, value),
    object: (members, key) => ({ ...members, [key]: value }),
  });
}

export function replaceAt(document: unknown, steps: Steps, value: unknown): unknown {
  return editAt(document, steps, {
    document: () => value,
    list: (items, step) => items.with(indexOf(items, step), value),
    object: (members, key) => ({ ...members, [existing(members, key)]: value }),
  });
}

export function removeAt(document: unknown, steps: Steps): unknown {
  return editAt(document, steps, {
    document: () => {
      throw new JsonEditError('the whole document cannot be removed');
    },
    list: (items, step) => items.toSpliced(indexOf(items, step), 1),
    object: (members, key) => {
      const removed = existing(members, key);
      return Object.fromEntries(Object.entries(members).filter(([name]) => name !== removed));
    },
  });
}

type Items = readonly unknown[];
type Members = Readonly<Record<string, unknown>>;

/** What to make of the place the steps lead to: the document itself, or a place in a list or an object. */
interface Edit {
  readonly document: () => unknown;
  readonly list: (items: Items, step: string) => unknown;
  readonly object: (members: Members, step: string) => unknown;
}

function editAt(document: unknown, steps: Steps, edit: Edit): unknown {
  const [step, ...rest] = steps;
  if (step === undefined) return edit.document();
  if (rest.length === 0) return editChild(document, step, edit);
  const child = editAt(readChild(document, step), rest, edit);
  return replaceAt(document, [step], child);
}

function editChild(parent: unknown, step: string, edit: Edit): unknown {
  if (Array.isArray(parent)) return edit.list(parent, step);
  if (isJsonObject(parent)) return edit.object(parent, step);
  throw new JsonEditError(`"${step}" leads into a value that is neither an object nor a list`);
}

function readChild(parent: unknown, step: string): unknown {
  return editChild(parent, step, {
    document: () => parent,
    list: (items) => items[indexOf(items, step)],
    object: (members) => ownMember(members, existing(members, step)),
  });
}

function existing(members: Members, key: string): string {
  if (Object.hasOwn(members, key)) return key;
  throw new JsonEditError(`there is no member "${key}"`);
}

function indexOf(items: Items, step: string): number {
  const index = parseIndex(step);
  if (index < items.length) return index;
  throw new JsonEditError(`there is no item ${step} in a list of ${items.length}`);
}

function insertionIndex(items: Items, step: string): number {
  const index = step === '-' ? items.length : parseIndex(step);
  if (index <= items.length) return index;
  throw new JsonEditError(`item ${step} would leave a gap in a list of ${items.length}`);
}

function parseIndex(step: string): number {
  if (/^(0|[1-9][0-9]*)$/.test(step)) return Number(step);
  throw new JsonEditError(`"${step}" is not an index of a list`);
}
