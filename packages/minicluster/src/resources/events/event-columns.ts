import type { KubeObject } from '@liqo/kube';
import type { Event as CoreEvent } from 'kubernetes-types/core/v1.d.ts';
import type { TableColumn } from '../../rest/resource.ts';
import { nameColumn } from '../../rest/table.ts';
import { textColumn, wide } from '../printing/columns.ts';
import { timeSince } from '../printing/human-duration.ts';

/** What happened comes first; the name of an event says nothing, and comes last. */
export function eventColumns(core: (event: KubeObject) => CoreEvent): readonly TableColumn[] {
  const column = (name: string, cell: (event: CoreEvent, nowMs: number) => unknown) =>
    textColumn(name, (event: KubeObject, nowMs) => cell(core(event), nowMs));
  return [
    column('Last Seen', lastSeen),
    column('Type', ({ type }) => type ?? ''),
    column('Reason', ({ reason }) => reason ?? ''),
    column('Object', objectText),
    ...wide(
      column('Subobject', ({ involvedObject }) => involvedObject?.fieldPath ?? ''),
      column('Source', sourceText),
    ),
    column('Message', ({ message }) => (message ?? '').trim()),
    ...wide(
      column('First Seen', firstSeen),
      column('Count', ({ series, count }) => series?.count || count || 1),
      nameColumn,
    ),
  ];
}

function firstSeen({ firstTimestamp, eventTime }: CoreEvent, nowMs: number): string {
  return timeSince(firstTimestamp || eventTime, nowMs);
}

function lastSeen(event: CoreEvent, nowMs: number): string {
  const { series, lastTimestamp } = event;
  if (series) return timeSince(series.lastObservedTime, nowMs);
  return lastTimestamp ? timeSince(lastTimestamp, nowMs) : firstSeen(event, nowMs);
}

function objectText({ involvedObject }: CoreEvent): string {
  const kind = (involvedObject?.kind ?? '').toLowerCase();
  return involvedObject?.name ? `${kind}/${involvedObject.name}` : kind;
}

function sourceText({ source, reportingComponent, reportingInstance }: CoreEvent): string {
  const component = source?.component || reportingComponent || '';
  const host = source?.host || reportingInstance;
  return host ? `${component}, ${host}` : component;
}
