import type { KubeObject } from '@liqo/kube';
import type { ManagedFieldsEntry } from 'kubernetes-types/meta/v1.d.ts';
import {
  difference,
  type FieldSet,
  fieldSetOf,
  isEmptySet,
  parseFields,
  printFields,
} from './field-set.ts';

/** What one manager owns: an entry of managedFields. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339, to the second. A manager that never changed anything has none. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** The managers of an object by who they are. */
export type Managers = ReadonlyMap<string, Manager>;

/** Who a manager is. An applier stays the same whatever version it applies. */
export function identityOf(manager: Omit<Manager, 'fields' | 'time'>): string {
  const { manager: name, operation, subresource } = manager;
  const apiVersion = operation === 'Apply' ? '' : manager.apiVersion;
  return JSON.stringify([name, operation, apiVersion, subresource]);
}

/** Reads managedFields; throws when they are not what the server writes. */
export function parseManagers(entries: readonly ManagedFieldsEntry[] = []): Managers {
  const managers = entries.map((entry, index) => parseEntry(entry, index));
  return new Map(managers.map((manager) => [identityOf(manager), manager]));
}

function parseEntry(entry: ManagedFieldsEntry, index: number): Manager {
  const { manager = '', operation, apiVersion = '', subresource = '' } = entry;
  const { time, fieldsType = '', fieldsV1 = {} } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new SyntaxError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new SyntaxError('apiVersion must not be empty');
  if (fieldsType === '') {
    throw new SyntaxError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== 'FieldsV1') {
    throw new SyntaxError(`invalid fieldsType "${fieldsType}" in managed fields entry ${index}`);
  }
  return { manager, operation, apiVersion, subresource, time, fields: parseFields(fieldsV1) };
}

/** The object with its managers in the server's order; without managedFields if there are none. */
export function withManagers<T extends KubeObject>(object: T, managers: Managers): T {
  const { managedFields: _, ...metadata } = object.metadata ?? {};
  const entries = [...managers.values()].sort(compareManagers).map(printEntry);
  const managed = entries.length > 0 ? { ...metadata, managedFields: entries } : metadata;
  return { ...object, metadata: managed };
}

function printEntry(entry: Manager): ManagedFieldsEntry {
  const { manager, operation, apiVersion, subresource, time, fields } = entry;
  return {
    manager,
    operation,
    apiVersion,
    ...(time !== undefined && { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: printFields(fields),
    ...(subresource && { subresource }),
  };
}

/** Appliers first, then by time, oldest first. */
function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    secondsOf(a) - secondsOf(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

export function secondsOf({ time }: Manager): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of these nobody is the manager: they say what the object is, or belong to the server. */
const untracked = fieldSetOf([
  ['apiVersion'],
  ['kind'],
  ['metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['metadata', name]),
]);

export function withoutUntracked(fields: FieldSet): FieldSet {
  return difference(fields, untracked);
}

/** Changes what every manager owns, and drops those that own nothing any more. */
export function mapFields(
  managers: Managers,
  change: (fields: FieldSet, identity: string) => FieldSet,
): Map<string, Manager> {
  const changed = new Map<string, Manager>();
  for (const [identity, manager] of managers) {
    const fields = change(manager.fields, identity);
    if (!isEmptySet(fields)) changed.set(identity, { ...manager, fields });
  }
  return changed;
}
