import type { ForeignCluster } from '@liqo/api';

export type ModuleStatus = 'Healthy' | 'Unhealthy' | 'Disabled';

/** The state of one module of a peering. Whatever is Unhealthy has at least one alert. */
export interface ModuleInfo {
  readonly status: ModuleStatus;
  readonly alerts?: readonly string[];
}

type Modules = NonNullable<NonNullable<ForeignCluster['status']>['modules']>;

/** The module as its ForeignCluster reports it. */
export function judgeModule(module: Modules[keyof Modules] | undefined): ModuleInfo {
  if (!module?.enabled) return { status: 'Disabled' };
  const failing = (module.conditions ?? []).filter(
    ({ status }) => status !== 'Established' && status !== 'Ready',
  );
  return enabledModule(
    failing.map(({ type, status, message }) => message || `${type} is ${status}`),
  );
}

/** A module that is in use. */
export function enabledModule(alerts: readonly string[]): ModuleInfo {
  return alerts.length === 0 ? { status: 'Healthy' } : { status: 'Unhealthy', alerts };
}
