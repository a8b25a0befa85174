import type { Pod, Stored } from '@liqo/kube';
import type { TableColumn } from '../../rest/resource.ts';
import { nameColumn } from '../../rest/table.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import { timeSince } from '../printing/human-duration.ts';
import { summarizePod } from './summarize-pod.ts';

export const podColumns: readonly TableColumn[] = [
  nameColumn,
  textColumn('Ready', (pod: Stored<Pod>) => {
    const { ready, containers } = summarizePod(pod);
    return `${ready}/${containers}`;
  }),
  textColumn('Status', (pod: Stored<Pod>) => summarizePod(pod).reason),
  textColumn('Restarts', (pod: Stored<Pod>, nowMs) => {
    const { restarts, lastRestart } = summarizePod(pod);
    if (restarts === 0 || !lastRestart) return `${restarts}`;
    return `${restarts} (${timeSince(lastRestart, nowMs)} ago)`;
  }),
  ageColumn,
  ...wide(
    textColumn('IP', ({ status }: Pod) => status?.podIPs?.[0]?.ip || '<none>'),
    textColumn('Node', ({ spec }: Pod) => spec?.nodeName || '<none>'),
    textColumn('Nominated Node', ({ status }: Pod) => status?.nominatedNodeName || '<none>'),
    textColumn('Readiness Gates', readinessGates),
  ),
];

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return '<none>';
  const conditions = status?.conditions ?? [];
  const open = gates.filter(({ conditionType }) => {
    return conditions.find(({ type }) => type === conditionType)?.status === 'True';
  });
  return `${open.length}/${gates.length}`;
}
