import { Service } from '@liqo/kube';
import type { ServicePort } from 'kubernetes-types/core/v1.d.ts';
import type { Allocations } from '../../rest/resource.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf, type ResourceDefinition } from '../define-resource.ts';
import { ageColumn, textColumn, wide } from '../printing/columns.ts';
import { labelText } from '../printing/label-text.ts';
import { allowingPrefix, rfc1035LabelFaults } from '../validation/names.ts';
import { defaultService } from './service-defaults.ts';
import { readService, updateService, withClusterIps } from './service-update.ts';
import { serviceStatusWarnings, serviceWarnings } from './service-warnings.ts';
import { validateServiceStatus, validateServiceUpdate } from './validate-cluster-ips.ts';
import { validateService } from './validate-service.ts';

export function services(allocations: Allocations): ResourceDefinition {
  return defineResource<Service>({
    kind: Service,
    shortNames: ['svc'],
    categories: ['all'],
    selectableFields: {
      'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
      'spec.type': ({ spec }) => spec?.type ?? '',
    },
    subresources: {
      proxy: {
        kind: 'ServiceProxyOptions',
        group: '',
        version: 'v1',
        verbs: ['create', 'delete', 'get', 'patch', 'update'],
      },
      status: partOf(Service),
    },
    columns,
    freshStatus: { loadBalancer: {} },
    strategy: {
      generation: 'none',
      withDefaults: defaultService,
      onRead: readService,
      onCreate: withClusterIps,
      onUpdate: updateService,
      validate: validateService,
      validateUpdate: validateServiceUpdate,
      tellsChangesFirst: true,
      warnings: serviceWarnings,
      statusWarnings: serviceStatusWarnings,
      validateStatusUpdate: validateServiceStatus,
      validateName: allowingPrefix(rfc1035LabelFaults),
      returnsDeleted: true,
      createsOnUpdate: true,
      allocations,
    },
  });
}

const columns = [
  nameColumn,
  textColumn('Type', ({ spec }: Service) => spec?.type ?? ''),
  textColumn('Cluster-IP', ({ spec }: Service) => spec?.clusterIPs?.[0] ?? '<none>'),
  textColumn('External-IP', externalText),
  textColumn('Port(s)', ({ spec }: Service) => {
    return (spec?.ports ?? []).map(portText).join(',') || '<none>';
  }),
  ageColumn,
  ...wide(textColumn('Selector', ({ spec }: Service) => labelText(spec?.selector))),
];

function externalText({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    case 'LoadBalancer':
      return (
        [...ingressAddresses(status?.loadBalancer?.ingress), ...external].join(',') || '<pending>'
      );
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

type Ingresses = readonly { readonly ip?: string; readonly hostname?: string }[];

/** Each address once, in order. */
export function ingressAddresses(ingress: Ingresses = []): string[] {
  const addresses = ingress.map(({ ip, hostname }) => ip || hostname || '').filter(Boolean);
  return [...new Set(addresses)].sort();
}

function portText({ port, nodePort, protocol }: ServicePort): string {
  return nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;
}
