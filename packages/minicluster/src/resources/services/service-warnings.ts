import type { Service } from '@liqo/kube';
import { addressWarnings, cidrWarnings } from '../validation/address-warnings.ts';
import { isHeadless } from './service-needs.ts';

/** What a Service says in vain, or in a way that is not wanted any more: told, not refused. */
export function serviceWarnings({ metadata, spec = {} }: Service): readonly string[] {
  const { clusterIPs = [], externalIPs = [], loadBalancerIP, loadBalancerSourceRanges = [] } = spec;
  return [
    ...(metadata?.annotations?.[oldHints] === undefined ? [] : [hintsAreOld]),
    ...(isHeadless(spec) ? [] : addressesWarnings('spec.clusterIPs', clusterIPs)),
    ...(isHeadless(spec) && spec.type === 'ClusterIP' ? headlessWarnings(spec) : []),
    ...addressesWarnings('spec.externalIPs', externalIPs),
    ...(loadBalancerIP ? addressWarnings('spec.loadBalancerIP', loadBalancerIP) : []),
    ...loadBalancerSourceRanges.flatMap((range, i) =>
      cidrWarnings(`spec.loadBalancerSourceRanges[${i}]`, range),
    ),
    ...nameWarnings(spec),
    ...distributionWarnings(spec),
  ];
}

/** The same of a status. */
export function serviceStatusWarnings({ status }: Service): readonly string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  return ingress.flatMap(({ ip = '' }, i) =>
    addressWarnings(`status.loadBalancer.ingress[${i}]`, ip),
  );
}

type Spec = NonNullable<Service['spec']>;

const oldHints = 'service.kubernetes.io/topology-aware-hints';
const hintsAreOld = `annotation ${oldHints} is deprecated, please use service.kubernetes.io/topology-mode instead`;

function addressesWarnings(field: string, addresses: readonly string[]): string[] {
  return addresses.flatMap((address, i) => addressWarnings(`${field}[${i}]`, address));
}

function headlessWarnings({ loadBalancerIP, externalIPs, sessionAffinity }: Spec): string[] {
  const fields = [
    ...(loadBalancerIP ? ['spec.loadBalancerIP'] : []),
    ...(externalIPs?.length ? ['spec.externalIPs'] : []),
    ...(sessionAffinity !== 'None' ? ['spec.SessionAffinity'] : []),
  ];
  return fields.map((field) => `${field} is ignored for headless services`);
}

function nameWarnings({ type, externalIPs, externalName }: Spec): string[] {
  if (type === 'ExternalName') {
    return externalIPs?.length
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : [];
  }
  return externalName ? ['spec.externalName is ignored when spec.type is not "ExternalName"'] : [];
}

function distributionWarnings({ trafficDistribution }: { trafficDistribution?: string }): string[] {
  return trafficDistribution === 'PreferClose'
    ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
    : [];
}
