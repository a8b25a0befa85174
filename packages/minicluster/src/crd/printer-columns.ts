import { isJsonObject, parseTime, TimestampError } from '@liqo/kube';
import type { CustomResourceColumnDefinition } from 'kubernetes-types/apiextensions/v1.d.ts';
import { humanDuration } from '../resources/printing/human-duration.ts';
import type { TableColumn } from '../rest/resource.ts';
import { nameColumn } from '../rest/table.ts';
import { JsonPathError, parseJsonPath } from './json-path.ts';
import { printNumber } from './validation/go-number.ts';

const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

/** The columns of `kubectl get`: those that the definition asks for, or the age when it asks for none. */
export function printerColumns(
  wanted: readonly CustomResourceColumnDefinition[] = [],
): readonly TableColumn[] {
  return [nameColumn, ...readableColumns(wanted.length > 0 ? wanted : [age])];
}

/** A path that cannot be read ends the table: the real server goes no further either. */
function readableColumns(wanted: readonly CustomResourceColumnDefinition[]): TableColumn[] {
  const columns: TableColumn[] = [];
  for (const definition of wanted) {
    try {
      columns.push(columnOf(definition));
    } catch (error) {
      if (error instanceof JsonPathError) break;
      throw error;
    }
  }
  return columns;
}

function columnOf(definition: CustomResourceColumnDefinition): TableColumn {
  const { name, type, format = '', priority = 0, jsonPath } = definition;
  const find = parseJsonPath(jsonPath);
  const byDefault = `Custom resource definition column (in JSONPath format): ${jsonPath}`;
  const description = definition.description || byDefault;
  return {
    name,
    type: type as TableColumn['type'],
    format,
    description,
    priority,
    cell: (object, nowMs) => cellOf(type, firstOf(find, object), nowMs),
  };
}

/** Undefined when there is nothing, or nothing that the path fits. */
function firstOf(find: (value: unknown) => readonly unknown[], object: unknown): unknown {
  try {
    return find(object)[0];
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

function cellOf(type: string, value: unknown, nowMs: number): unknown {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return printText(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? printAge(value, nowMs) : null;
    default:
      return null;
  }
}

function printText(value: unknown): string {
  if (value === null) return '<no value>';
  if (typeof value === 'number') return printNumber(value);
  if (Array.isArray(value) || isJsonObject(value)) return JSON.stringify(value, sortMembers);
  return String(value);
}

function sortMembers(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function printAge(time: string, nowMs: number): string {
  try {
    return humanDuration(nowMs - parseTime(time));
  } catch (error) {
    if (error instanceof TimestampError) return '<invalid>';
    throw error;
  }
}
