import { deepCopy, deepEqual, isJsonObject } from './json.ts';
import { addAt, JsonEditError, readAt, removeAt, replaceAt, type Steps } from './json-edit.ts';
import { parsePointer } from './json-pointer.ts';

/** One step of an RFC 6902 patch. `path` and `from` are RFC 6901 pointers. */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'copy' | 'move'; readonly from: string; readonly path: string };

/** A patch that cannot be applied. `index` counts the operations from zero. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
  readonly index: number;

  constructor(index: number, operation: unknown, cause: JsonEditError) {
    super(`Cannot apply patch operation ${index}${describe(operation)}: ${cause.message}`, {
      cause,
    });
    this.index = index;
  }
}

type Members = Readonly<Record<string, unknown>>;

/**
 * The document after all operations. Neither the document nor the patch is changed, and the result shares with them
 * what it can: treat it as read-only. Nothing is applied if one operation fails. The operations may come from anywhere
 * and are checked; that the result still is a `T` is for the caller to see to.
 */
export function applyJsonPatch<T>(document: T, patch: readonly JsonPatchOperation[]): T {
  if (!Array.isArray(patch)) throw new TypeError('Cannot apply patch: it is not a list');
  let result: unknown = document;
  for (const [index, operation] of patch.entries()) {
    try {
      result = applyOperation(result, operation);
    } catch (error) {
      if (!(error instanceof JsonEditError)) throw error;
      throw new JsonPatchError(index, operation, error);
    }
  }
  return result as T;
}

function applyOperation(document: unknown, operation: unknown): unknown {
  if (!isJsonObject(operation)) throw new JsonEditError('it is not an object');
  const path = stepsOf(operation, 'path');
  switch (operation.op) {
    case 'add':
      return addAt(document, path, valueIn(operation));
    case 'remove':
      return removeAt(document, path);
    case 'replace':
      return replaceAt(document, path, valueIn(operation));
    case 'test':
      return testAt(document, path, valueIn(operation));
    case 'copy':
      return addAt(document, path, deepCopy(readAt(document, stepsOf(operation, 'from'))));
    case 'move':
      return move(document, stepsOf(operation, 'from'), path);
    default:
      throw new JsonEditError('there is no such operation');
  }
}

function testAt(document: unknown, path: Steps, value: unknown): unknown {
  if (!deepEqual(readAt(document, path), value)) {
    throw new JsonEditError('the value is another one');
  }
  return document;
}

function move(document: unknown, from: Steps, path: Steps): unknown {
  const value = readAt(document, from);
  const isWithin = from.every((step, depth) => step === path[depth]);
  if (!isWithin) return addAt(removeAt(document, from), path, value);
  if (path.length > from.length) throw new JsonEditError('a value cannot be moved into itself');
  return document;
}

function stepsOf(operation: Members, name: 'from' | 'path'): Steps {
  const pointer = operation[name];
  const steps = typeof pointer === 'string' ? parsePointer(pointer) : undefined;
  if (steps) return steps;
  throw new JsonEditError(`its "${name}" is not a JSON pointer such as "/spec/replicas"`);
}

function valueIn(operation: Members): unknown {
  if (operation.value === undefined) throw new JsonEditError('it has no value');
  return operation.value;
}

function describe(operation: unknown): string {
  if (!isJsonObject(operation)) return '';
  const { op, from, path } = operation;
  return from === undefined ? ` (${op} "${path}")` : ` (${op} "${from}" to "${path}")`;
}
