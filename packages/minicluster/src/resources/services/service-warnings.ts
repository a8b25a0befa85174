import type { Service } from 'kubernetes-types/core/v1.d.ts';

/** What a Service says in vain: told, not refused. */
export function serviceWarnings({ spec }: Service): readonly string[] {
  if (!spec) return [];
  const isExternal = spec.type === 'ExternalName';
  return [
    ...(isHeadless(spec) ? headlessWarnings(spec) : []),
    ...(isExternal && spec.externalIPs?.length
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(!isExternal && spec.externalName
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}

type Spec = NonNullable<Service['spec']>;

function isHeadless({ type, clusterIP }: Spec): boolean {
  return type === 'ClusterIP' && clusterIP === 'None';
}

function headlessWarnings({ loadBalancerIP, externalIPs, sessionAffinity }: Spec): string[] {
  const fields = [
    ...(loadBalancerIP ? ['spec.loadBalancerIP'] : []),
    ...(externalIPs?.length ? ['spec.externalIPs'] : []),
    ...(sessionAffinity !== 'None' ? ['spec.SessionAffinity'] : []),
  ];
  return fields.map((field) => `${field} is ignored for headless services`);
}
