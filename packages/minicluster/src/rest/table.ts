import type { Item } from '../store/collection.ts';
import type { ApiRequest } from './api-request.ts';
import type { Resource, TableColumn } from './resource.ts';

/** Rows for `kubectl get`, which prints what the server tells it to. */
export function tableOf(
  { columns }: Resource,
  request: ApiRequest,
  items: readonly Item[],
  { metadata, nowMs, withColumns = true }: TableOptions,
): object {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: withColumns ? columns.map(definitionOf) : null,
    rows: items.map((item) => ({
      cells: columns.map((column) => column.cell(item, nowMs) ?? null),
      object: rowObject(request.query.get('includeObject'), item),
    })),
  };
}

export interface TableOptions {
  /** Of the list; empty for a single object. */
  readonly metadata: object;
  /** What ages are counted from. */
  readonly nowMs: number;
  /** The columns are told once per watch. */
  readonly withColumns?: boolean;
}

export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  priority: 0,
  cell: (item) => item.metadata.name,
};

function definitionOf({ name, type, format = '', description = '', priority }: TableColumn) {
  return { name, type, format, description, priority };
}

function rowObject(include: string | null, item: Item): object | null {
  if (include === 'None') return null;
  if (include === 'Object') return item;
  const { metadata } = item;
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata };
}
