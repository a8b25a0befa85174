import { annotations, type ResourceSlice } from '@liqo/api';
import { findCondition, parseTime, type Stored } from '@liqo/kube';
import { isCopy, peerOf } from '../cluster/find-resource-slice.ts';
import type { SliceUse } from '../cluster/read-slice-use.ts';
import { describeUse } from './describe-use.ts';
import { formatAge } from './format-age.ts';
import { renderTable } from './render-table.ts';

interface TableOptions {
  readonly use: SliceUse;
  readonly nowMs: number;
  /** With everything that fits no narrow terminal. */
  readonly isWide: boolean;
  /** Of the terminal; 0 or undefined where there is none, or where it does not say. */
  readonly columns?: number | undefined;
}

const headings = [
  'NAMESPACE',
  'NAME',
  'PEER',
  'ACTION',
  'AUTHENTICATION',
  'RESOURCES',
  'USED',
  'AGE',
];
const wideHeadings = ['CLASS', 'CORDONED', 'ASKED', 'GRANTED', 'WHY'];

export function renderResourceSlices(
  objects: readonly Stored<ResourceSlice>[],
  { use, nowMs, isWide, columns }: TableOptions,
): string {
  const rows = objects.map((slice) => [
    ...narrowCells(slice, use, nowMs),
    ...(isWide ? wideCells(slice) : []),
  ]);
  return renderTable([...headings, ...(isWide ? wideHeadings : [])], rows, columns);
}

function narrowCells(slice: Stored<ResourceSlice>, use: SliceUse, nowMs: number): string[] {
  const { metadata, status } = slice;
  return [
    metadata.namespace ?? '',
    metadata.name,
    peerOf(slice) ?? '',
    isCopy(slice) ? 'Providing' : 'Consuming',
    findCondition(status?.conditions, 'Authentication')?.status ?? '',
    findCondition(status?.conditions, 'Resources')?.status ?? '',
    describeUse(use(slice), status?.resources),
    formatAge(nowMs - parseTime(metadata.creationTimestamp)),
  ];
}

function wideCells({ metadata, spec, status }: Stored<ResourceSlice>): string[] {
  const marks = metadata.annotations ?? {};
  const isCordoned = isOn(marks[annotations.cordon]) || isOn(marks[annotations.cordonTenant]);
  const refused = status?.conditions?.find((condition) => condition.status !== 'Accepted');
  return [
    spec.class ?? '',
    String(isCordoned),
    printResources(spec.resources),
    printResources(status?.resources),
    refused?.message ?? '',
  ];
}

/** As Liqo reads the annotations of a cordon. */
function isOn(value: string | undefined): boolean {
  return value !== undefined && !['false', 'False', '0'].includes(value);
}

function printResources(resources: ResourceSlice['spec']['resources'] = {}): string {
  const amounts = Object.entries(resources).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return amounts.map(([name, amount]) => `${name}=${amount}`).join(',');
}
