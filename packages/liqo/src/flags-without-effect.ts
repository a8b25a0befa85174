import { reflectedResources } from '@liqo/virtual-kubelet';
import type { FlagTable } from './flags.ts';

/**
 * Flags of the virtual kubelet of Liqo v1.2 that mean nothing to this one. Templates written for Liqo pass them, so they are
 * accepted: the virtual kubelet logs the names of those it was given.
 */
export const flagsWithoutEffect = {
  ...ignore('boolean', [
    'enable-ingress',
    'enable-load-balancer',
    'enable-profiling',
    'enable-storage',
    'vk-lease-enabled',
  ]),
  ...ignore('string', [
    'client-max-burst',
    'client-qps',
    'client-timeout',
    'node-lease-duration',
    'node-ping-interval',
    'node-ping-timeout',
    'remote-real-ingress-class-name',
    'remote-real-load-balancer-class-name',
    'remote-real-storage-class-name',
    'resync-period',
    'virtual-storage-class-name',
    'vk-lease-duration',
    'vk-lease-renew-interval',
    'vk-lease-retry-period',
  ]),
  ...ignore('string', reflectionFlags()),
  ...ignore('boolean', [
    ...klogNames('add_dir_header'),
    ...klogNames('alsologtostderr'),
    ...klogNames('logtostderr'),
    ...klogNames('one_output'),
    ...klogNames('skip_headers'),
    ...klogNames('skip_log_headers'),
  ]),
  ...ignore('string', [
    ...klogNames('log_backtrace_at'),
    ...klogNames('log_dir'),
    ...klogNames('log_file'),
    ...klogNames('log_file_max_size'),
    ...klogNames('stderrthreshold'),
    ...klogNames('vmodule'),
  ]),
} satisfies FlagTable;

function ignore(type: 'string' | 'boolean', names: readonly string[]): FlagTable {
  const flag = { type, default: type === 'boolean' ? 'false' : '', ignored: true } as const;
  return Object.fromEntries(names.map((name) => [name, { ...flag, help: 'without effect' }]));
}

/** Of the resources that this virtual kubelet does not reflect. */
function reflectionFlags(): readonly string[] {
  const reflected: readonly string[] = reflectedResources;
  const resources = [
    'service',
    'endpointslice',
    'ingress',
    'configmap',
    'secret',
    'serviceaccount',
    'persistentvolumeclaim',
    'event',
  ];
  return resources
    .filter((resource) => !reflected.includes(resource))
    .flatMap((resource) => [`${resource}-reflection-workers`, `${resource}-reflection-type`]);
}

/** Liqo prefixes the flags of klog; klog itself does not. */
function klogNames(name: string): readonly [string, string] {
  return [name, `klog.${name}`];
}
