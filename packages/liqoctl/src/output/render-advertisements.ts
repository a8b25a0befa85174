import type { Advertisement } from '@liqo/api';
import { formatTime, oneLine, parseTime, type ResourceList, type Stored } from '@liqo/kube';
import { formatAge } from './format-age.ts';
import { renderTable } from './render-table.ts';

interface TableOptions {
  /** Whose offers they are: those of providers, or those of this cluster to its consumers. */
  readonly of: 'providers' | 'this cluster';
  readonly nowMs: number;
  readonly columns?: number | undefined;
}

/** What is shown of most offers: the rest is on `describe`. */
const shownResources = ['cpu', 'memory', 'pods'];

export function renderAdvertisements(
  offers: readonly Stored<Advertisement>[],
  { of, nowMs, columns }: TableOptions,
): string {
  const peer = of === 'providers' ? 'PROVIDER' : 'CONSUMER';
  const headings = [peer, 'STATUS', 'REASON', 'OFFERED', 'VIRTUALNODE', 'EXPIRES IN', 'AGE'];
  const rows = offers.map(({ metadata, spec, status }) => [
    of === 'providers' ? spec.providerClusterID : spec.consumerClusterID,
    status?.phase ?? 'Pending',
    oneLine(status?.decision?.reason ?? ''),
    printResources(spec.resourceQuota.hard ?? {}),
    oneLine(status?.virtualNodeRef?.name ?? ''),
    printExpiry(status?.expirationTime, nowMs),
    formatAge(nowMs - parseTime(metadata.creationTimestamp)),
  ]);
  return renderTable(headings, rows, columns);
}

function printResources(resources: ResourceList): string {
  const amounts = Object.entries(resources).filter(([name]) => shownResources.includes(name));
  return amounts
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, amount]) => `${name}=${amount}`)
    .join(',');
}

/** A peer has written it. */
function printExpiry(text: string | undefined, nowMs: number): string {
  if (text === undefined) return '';
  try {
    return formatAge(parseTime(text) - nowMs);
  } catch {
    return `not at a time: ${oneLine(text)} (now ${formatTime(nowMs)})`;
  }
}
