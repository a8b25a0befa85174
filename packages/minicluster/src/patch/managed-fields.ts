import { deepEqual, type KubeObject } from '@liqo/kube';
import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.d.ts';
import { decodeObject } from '../schema/decode.ts';
import { isBuiltIn } from '../schema/go-type.ts';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { capUpdateManagers } from './cap-managers.ts';
import { type Comparison, compareValues } from './compare-values.ts';
import { difference, type FieldSet, isEmptySet, recursiveDifference, union } from './field-set.ts';
import { TypedValueError } from './list-item.ts';
import {
  identityOf,
  type Managers,
  mapFields,
  parseManagers,
  withManagers,
  withoutUntracked,
} from './managers.ts';
import { resetFieldsOf } from './reset-fields.ts';

/** Who writes, and how. */
export interface Writer {
  readonly manager: string;
  /** `status`, `scale` …; absent or empty for the object itself. */
  readonly subresource?: string | undefined;
  /** The version in which the object is written. */
  readonly apiVersion: string;
  /** RFC 3339, to the second. */
  readonly time: string;
  /** Fields that the server puts back whatever the writer says, if they are not those of `resetFieldsOf`. */
  readonly resetFields?: FieldSet | undefined;
}

/**
 * `after` with the managedFields that an update (create, PUT, or a patch other than apply) leaves: the writer takes
 * over what changed, and what is gone is nobody's.
 *
 * Both objects are as the server holds them, decoded and with their defaults; what admission or the server itself
 * changes after this call has no manager. `before` is undefined for a creation. managedFields that the writer sent are
 * taken, an empty list forgets everything, and none at all leaves what was there.
 */
export function recordUpdate(
  schemas: Schemas,
  schema: TypeSchema,
  before: KubeObject | undefined,
  after: KubeObject,
  by: Writer,
): KubeObject {
  const managers = managersBefore(before, after, by);
  const isTracked = managers.size > 0 || !before?.metadata?.uid;
  if (!isTracked) return withManagers(after, managers);
  try {
    const changes = changesBetween(schemas, schema, before, after, by);
    return withManagers(after, capUpdateManagers(takeOver(managers, changes, by)));
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    return withManagers(after, new Map());
  }
}

/** The managers that an update starts from. */
function managersBefore(before: KubeObject | undefined, after: KubeObject, by: Writer): Managers {
  const sent = after.metadata?.managedFields;
  const live = () => parseOrForget(before?.metadata?.managedFields);
  if (by.subresource) return live();
  if (isReset(sent)) return new Map();
  const managers = parseOrForget(sent);
  return managers.size > 0 ? managers : live();
}

function parseOrForget(entries: readonly ManagedFieldsEntry[] | undefined): Managers {
  try {
    return parseManagers(entries);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return new Map();
  }
}

/** An empty list, or one with an empty entry, asks to forget. */
function isReset(entries: readonly ManagedFieldsEntry[] | undefined): boolean {
  if (!entries || entries.length > 1) return false;
  return deepEqual(entries[0] ?? {}, {});
}

function changesBetween(
  schemas: Schemas,
  schema: TypeSchema,
  before: KubeObject | undefined,
  after: KubeObject,
  by: Writer,
): Comparison {
  const live = before ? withoutManagedFields(before) : emptyObject(schemas, schema);
  const compared = compareValues(schemas, schema, live, withoutManagedFields(after));
  return withoutResetFields(
    compared,
    by.resetFields ?? resetFieldsOf(schema, by.subresource ?? ''),
  );
}

export function withoutResetFields(changes: Comparison, resetFields: FieldSet): Comparison {
  return {
    removed: recursiveDifference(changes.removed, resetFields),
    modified: recursiveDifference(changes.modified, resetFields),
    added: recursiveDifference(changes.added, resetFields),
  };
}

export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata?.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** What a creation is compared with: an object of a built-in kind is never quite empty. */
export function emptyObject(schemas: Schemas, schema: TypeSchema): KubeObject {
  return isBuiltIn(schema) ? (decodeObject(schemas, schema, {}).object as KubeObject) : {};
}

function takeOver(managers: Managers, changes: Comparison, by: Writer): Managers {
  const { removed, modified, added } = changes;
  const taken = union(modified, added);
  const rest = mapFields(managers, (fields) => difference(difference(fields, taken), removed));
  const fields = withoutUntracked(taken);
  if (isEmptySet(fields)) return rest;
  const self = {
    manager: by.manager || 'unknown',
    operation: 'Update' as const,
    apiVersion: by.apiVersion,
    subresource: by.subresource ?? '',
    time: by.time,
  };
  const identity = identityOf(self);
  const owned = rest.get(identity)?.fields;
  return rest.set(identity, { ...self, fields: owned ? union(fields, owned) : fields });
}
