import type { Json } from './json.ts';
import type { JsonPatchOperation } from './json-patch.ts';

/** A change to an object, in one of the forms the API server takes. */
export interface Patch {
  readonly contentType: string;
  readonly body: unknown;
}

/** RFC 6902: a list of operations, all or nothing. */
export function jsonPatch(operations: readonly JsonPatchOperation[]): Patch {
  return { contentType: 'application/json-patch+json', body: operations };
}

/** RFC 7386: fields that are there are set, `null` removes, lists are replaced whole. */
export function mergePatch(change: Json): Patch {
  return { contentType: 'application/merge-patch+json', body: change };
}

/** Kubernetes' own: lists with a merge key are merged item by item. Built-in kinds only. */
export function strategicMergePatch(change: Json): Patch {
  return { contentType: 'application/strategic-merge-patch+json', body: change };
}
