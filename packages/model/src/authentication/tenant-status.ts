import type { Tenant } from '@liqo/api';
import { oneLine, setCondition } from '@liqo/kube';

export type TenantStatus = NonNullable<Tenant['status']>;
type TenantCondition = NonNullable<TenantStatus['conditions']>[number];

/** What is said of the authentication of a Tenant. */
export interface AuthenticationReport {
  readonly status: TenantCondition['status'];
  readonly reason: string;
  readonly message: string;
}

/** Credentials that were issued before stay where there are no newer ones: the consumer goes on using them. */
export function nextTenantStatus(
  status: TenantStatus | undefined,
  report: AuthenticationReport,
  more: Pick<TenantStatus, 'authParams' | 'tenantNamespace'>,
  now: string,
): TenantStatus {
  const message = oneLine(report.message);
  const condition = { type: 'Authentication', ...report, message } as const;
  return { ...status, ...more, conditions: setCondition(status?.conditions, condition, now) };
}
