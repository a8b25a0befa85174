import type { VirtualNode } from '@liqo/api';
import { findCondition, parseTime, type Stored } from '@liqo/kube';
import { formatAge } from './format-age.ts';
import { renderTable } from './render-table.ts';

interface TableOptions {
  readonly nowMs: number;
  /** With everything that fits no narrow terminal. */
  readonly isWide: boolean;
  /** Of the terminal; 0 or undefined where there is none, or where it does not say. */
  readonly columns?: number | undefined;
}

const headings = ['NAMESPACE', 'NAME', 'CLUSTERID', 'CREATE NODE', 'NODE', 'AGE'];
const wideHeadings = ['VIRTUALKUBELET', 'CPU', 'MEMORY', 'PODS', 'SECRET', 'WHY'];

export function renderVirtualNodes(
  objects: readonly Stored<VirtualNode>[],
  { nowMs, isWide, columns }: TableOptions,
): string {
  const rows = objects.map((object) => [
    ...narrowCells(object, nowMs),
    ...(isWide ? wideCells(object) : []),
  ]);
  return renderTable([...headings, ...(isWide ? wideHeadings : [])], rows, columns);
}

function narrowCells({ metadata, spec, status }: Stored<VirtualNode>, nowMs: number): string[] {
  return [
    metadata.namespace ?? '',
    metadata.name,
    spec.clusterID ?? '',
    spec.createNode === undefined ? '' : String(spec.createNode),
    findCondition(status?.conditions, 'Node')?.status ?? '',
    formatAge(nowMs - parseTime(metadata.creationTimestamp)),
  ];
}

function wideCells({ spec, status }: Stored<VirtualNode>): string[] {
  const kubelet = findCondition(status?.conditions, 'VirtualKubelet');
  const provider = findCondition(status?.conditions, 'Provider');
  const node = findCondition(status?.conditions, 'Node');
  const { cpu, memory, pods } = spec.resourceQuota?.hard ?? {};
  return [
    kubelet?.status ?? '',
    ...[cpu, memory, pods].map((amount) => String(amount ?? '')),
    spec.kubeconfigSecretRef?.name ?? '',
    kubelet?.message ?? provider?.message ?? node?.message ?? '',
  ];
}
