import { ApiError, deepEqual, type KubeObject, parseApiVersion } from '@liqo/kube';
import { decodeObject } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-error.ts';
import type { Schemas, TypeSchema } from '../schema/type-schema.ts';
import { applyConflict, type Conflict } from './apply-conflict.ts';
import { fieldsLastApplied, withLastApplied } from './client-side-apply.ts';
import { claimedFields, withDeclaredFields } from './collect-fields.ts';
import { compareValues } from './compare-values.ts';
import {
  difference,
  emptySet,
  type FieldSet,
  intersection,
  isEmptySet,
  recursiveDifference,
  union,
} from './field-set.ts';
import { TypedValueError } from './list-item.ts';
import {
  emptyObject,
  recordUpdate,
  type Writer,
  withoutManagedFields,
  withoutResetFields,
} from './managed-fields.ts';
import {
  identityOf,
  type Manager,
  type Managers,
  mapFields,
  parseManagers,
  withManagers,
  withoutUntracked,
} from './managers.ts';
import { mergeValues } from './merge-values.ts';
import { removeFields } from './remove-fields.ts';
import { resetFieldsOf } from './reset-fields.ts';
import { validateValue } from './validate-value.ts';

export interface Applier extends Writer {
  /** Takes fields from whoever owns them instead of complaining. */
  readonly force: boolean;
}

export interface Applied {
  /** With its managedFields. Without defaults, for which it has yet to be filled in. */
  readonly object: KubeObject;
}

/**
 * Server-side apply: the live object with the configuration laid over it, minus what this manager applied last time, no
 * longer applies, and nobody else owns.
 *
 * `applied` is the configuration as it was sent, `live` what the server holds, undefined if nothing. An apply that
 * changes nothing gives the live object again, times and all. Throws an `ApiError`: a `Conflict` when other managers
 * own what would change and `force` is not set, and whatever else the server refuses.
 */
export function applyConfiguration(
  schemas: Schemas,
  schema: TypeSchema,
  live: KubeObject | undefined,
  applied: KubeObject,
  by: Applier,
): Applied {
  refuseOtherKind(schema, live, applied, by);
  if (applied.metadata?.managedFields) throw badRequest('metadata.managedFields must be nil');
  refuseWrongTypes(schemas, schema, applied);
  const tracked = live ? trackedFromNow(schemas, schema, live, by) : undefined;
  const { object } = new Application(schemas, schema, tracked, applied, by).run();
  return { object: withLastApplied(object, applied, by.manager) };
}

/** An object that nobody has managed yet belongs, as it is, to whoever came before. */
function trackedFromNow(
  schemas: Schemas,
  schema: TypeSchema,
  live: KubeObject,
  by: Applier,
): KubeObject {
  if (live.metadata?.managedFields?.length) return live;
  return recordUpdate(schemas, schema, undefined, live, { ...by, manager: 'before-first-apply' });
}

class Application {
  readonly #schemas: Schemas;
  readonly #schema: TypeSchema;
  readonly #live: KubeObject;
  readonly #managers: Managers;
  readonly #applied: KubeObject;
  readonly #by: Applier;
  readonly #identity: string;
  readonly #resetFields: FieldSet;

  constructor(
    schemas: Schemas,
    schema: TypeSchema,
    live: KubeObject | undefined,
    applied: KubeObject,
    by: Applier,
  ) {
    this.#schemas = schemas;
    this.#schema = schema;
    this.#live = live ? withoutManagedFields(live) : startOf(schemas, schema, applied);
    this.#managers = parseManagers(live?.metadata?.managedFields);
    this.#applied = applied;
    this.#by = by;
    this.#identity = identityOf(this.#self);
    this.#resetFields = by.resetFields ?? resetFieldsOf(schema, by.subresource ?? '');
  }

  get #self(): Omit<Manager, 'fields' | 'time'> {
    const { manager, apiVersion, subresource = '' } = this.#by;
    return { manager, operation: 'Apply', apiVersion, subresource };
  }

  run(): Applied {
    const claimed = recursiveDifference(this.#claimedIn(this.#applied), this.#resetFields);
    const managers = new Map(this.#managers);
    const last = managers.get(this.#identity);
    managers.set(this.#identity, { ...this.#self, time: last?.time, fields: claimed });
    const merged = mergeValues(this.#schemas, this.#schema, this.#live, this.#applied);
    const object = this.#prune(merged, managers, last?.fields) as KubeObject;
    const settled = this.#settle(this.#yield(object, managers));
    if (deepEqual(object, this.#live)) return { object: withManagers(this.#live, settled) };
    return { object: withManagers(this.#converted(object), this.#stamped(settled)) };
  }

  /** Takes away what this manager owned and claims no more, except for what somebody claims and what it never owned. */
  #prune(merged: unknown, managers: Managers, last: FieldSet | undefined): unknown {
    if (!last) return merged;
    const owned = this.#declared(last);
    const mergedFields = this.#declared(this.#claimedIn(merged));
    const bare = this.#remove(merged, owned);
    const everybodys = [...managers.values()].map(({ fields }) => fields).reduce(union);
    const kept = union(this.#fieldsLeft(bare), this.#declared(everybodys));
    const withOwned = this.#remove(merged, difference(mergedFields, kept));
    const gone = difference(mergedFields, this.#fieldsLeft(withOwned));
    return this.#remove(merged, intersection(gone, owned));
  }

  #fieldsLeft(value: unknown): FieldSet {
    return this.#declared(this.#claimedIn(value));
  }

  /** What the change means for the other managers: they lose what changes, which is a conflict unless forced. */
  #yield(object: KubeObject, managers: Managers): Managers {
    const compared = compareValues(this.#schemas, this.#schema, this.#live, object);
    const { removed, modified, added } = withoutResetFields(compared, this.#resetFields);
    const changed = union(modified, added);
    if (!this.#by.force) this.#refuseConflicts(changed, managers);
    return mapFields(managers, (fields, identity) =>
      identity === this.#identity ? fields : difference(difference(fields, changed), removed),
    );
  }

  #refuseConflicts(changed: FieldSet, managers: Managers): void {
    const contested = difference(changed, this.#conceded());
    const conflicts = [...managers].flatMap(([identity, manager]): Conflict[] => {
      const fields = intersection(manager.fields, contested);
      const isOurs = identity === this.#identity;
      return isOurs || isEmptySet(fields) ? [] : [{ with: manager, fields }];
    });
    if (conflicts.length > 0) throw applyConflict(conflicts);
  }

  #conceded(): FieldSet {
    const { manager } = this.#by;
    return fieldsLastApplied(this.#schemas, this.#schema, this.#live, manager) ?? emptySet;
  }

  #settle(managers: Managers): Managers {
    return mapFields(managers, (fields, identity) =>
      identity === this.#identity ? withoutUntracked(fields) : fields,
    );
  }

  #stamped(managers: Managers): Managers {
    const self = managers.get(this.#identity);
    if (!self) return managers;
    return new Map(managers).set(this.#identity, { ...self, time: this.#by.time });
  }

  #converted(object: KubeObject): KubeObject {
    try {
      return decodeObject(this.#schemas, this.#schema, object, 'strategic-merge')
        .object as KubeObject;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const kind = printKind(this.#applied);
      const fact = `unable to convert unstructured object to ${kind}: ${error.message}`;
      const what = `failed to convert new object (${describe(this.#applied)}) to proper version`;
      throw serverError(`${what}: ${fact}`);
    }
  }

  #claimedIn(value: unknown): FieldSet {
    return claimedFields(this.#schemas, this.#schema, value);
  }

  #declared(set: FieldSet): FieldSet {
    return withDeclaredFields(this.#schemas, this.#schema, set);
  }

  #remove(value: unknown, set: FieldSet): unknown {
    return removeFields(this.#schemas, this.#schema, value, set);
  }
}

function startOf(
  schemas: Schemas,
  schema: TypeSchema,
  { apiVersion, kind }: KubeObject,
): KubeObject {
  return { ...emptyObject(schemas, schema), apiVersion, kind } as KubeObject;
}

function refuseOtherKind(
  schema: TypeSchema,
  live: KubeObject | undefined,
  applied: KubeObject,
  by: Applier,
): void {
  const kind = schema['x-kubernetes-group-version-kind']?.[0]?.kind ?? live?.kind ?? applied.kind;
  if (applied.apiVersion === by.apiVersion && applied.kind === kind) return;
  throw badRequest(`invalid object type: ${printKind(applied)}`);
}

function refuseWrongTypes(schemas: Schemas, schema: TypeSchema, applied: KubeObject): void {
  try {
    validateValue(schemas, schema, applied);
  } catch (error) {
    if (!(error instanceof TypedValueError)) throw error;
    throw serverError(
      `failed to create typed patch object (${describe(applied)}): ${error.message}`,
    );
  }
}

/** `apps/v1, Kind=Deployment`. */
function printKind({ apiVersion = '', kind = '' }: KubeObject): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}

function describe(object: KubeObject): string {
  const { namespace = '', name = '' } = object.metadata ?? {};
  return `${namespace}/${name}; ${printKind(object)}`;
}

function badRequest(message: string): ApiError {
  return new ApiError({ status: 'Failure', code: 400, reason: 'BadRequest', message });
}

/** What the server did not expect to go wrong it answers without a reason. */
function serverError(message: string): ApiError {
  return new ApiError({ status: 'Failure', code: 500, message });
}
