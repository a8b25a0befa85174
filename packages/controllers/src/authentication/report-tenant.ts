import { Tenant } from '@liqo/api';
import { formatTime, oneLine, type Stored } from '@liqo/kube';
import { type AuthenticationReport, nextTenantStatus, type TenantStatus } from '@liqo/model';
import { type EventRecorder, type RecordedEvent, writeStatus } from '@liqo/runtime';
import type { TenantContext } from './tenant-context.ts';

/** Writes what became of a Tenant into its status, and into an Event if that is news. */
export async function reportTenant(
  context: Pick<TenantContext, 'client' | 'clock' | 'events'>,
  tenant: Stored<Tenant>,
  report: AuthenticationReport,
  given: Pick<TenantStatus, 'authParams' | 'tenantNamespace'>,
  signal: AbortSignal,
): Promise<Stored<Tenant>> {
  const now = formatTime(context.clock.now());
  const status = nextTenantStatus(tenant.status, report, given, now);
  const written = await writeStatus(context.client, Tenant, tenant, status, signal);
  if (written === tenant) return tenant;
  const type = report.status === 'Accepted' ? 'Normal' : 'Warning';
  recordTenantEvent(context, tenant, { type, reason: report.reason, note: report.message });
  return written;
}

export function recordTenantEvent(
  { events }: { readonly events: EventRecorder },
  regarding: Stored<Tenant>,
  { type, reason, note }: Pick<RecordedEvent, 'note' | 'reason' | 'type'>,
): void {
  events.record({ regarding, type, reason, action: 'Authenticating', note: oneLine(note) });
}
