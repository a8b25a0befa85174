import type { Ingress } from '@liqo/kube';
import type {
  HTTPIngressPath,
  IngressBackend,
  IngressRule,
  IngressServiceBackend,
  IngressSpec,
} from 'kubernetes-types/networking/v1.d.ts';
import { isIpAddress } from '../validation/addresses.ts';
import {
  type FieldProblem,
  invalid,
  invalidFor,
  notSupported,
  required,
} from '../validation/field-problem.ts';
import {
  dnsSubdomainFaults,
  portNameFaults,
  rfc1035LabelFaults,
  wildcardSubdomainFaults,
} from '../validation/names.ts';
import { portNumber } from '../validation/numbers.ts';
import { validateReference } from './validate-reference.ts';

const classAnnotation = 'kubernetes.io/ingress.class';

export function validateIngress({ metadata, spec = {} }: Ingress): FieldProblem[] {
  const className = spec.ingressClassName;
  const annotated = metadata?.annotations?.[classAnnotation];
  const differs = annotated !== undefined && className !== undefined && annotated !== className;
  const rule = 'must match `ingressClassName` when both are specified';
  return [
    ...validateSpec(spec),
    ...(differs ? [invalid(`annotations.${classAnnotation}`, annotated, rule)] : []),
  ];
}

function validateSpec(spec: IngressSpec): FieldProblem[] {
  const { defaultBackend, rules = [], ingressClassName: name } = spec;
  const isEmpty = rules.length === 0 && !defaultBackend;
  const rule = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(isEmpty ? [invalid('spec', spec.rules ?? null, rule)] : []),
    ...(defaultBackend ? validateBackend('spec.defaultBackend', defaultBackend) : []),
    ...rules.flatMap((one, i) => validateRule(`spec.rules[${i}]`, one)),
    ...validateTls(spec),
    ...(name === undefined
      ? []
      : invalidFor('spec.ingressClassName', name, dnsSubdomainFaults(name))),
  ];
}

function validateTls({ tls = [] }: IngressSpec): FieldProblem[] {
  return tls.flatMap(({ hosts = [], secretName }, i) => [
    ...hosts.flatMap((host, j) => invalidFor(`spec.tls[${i}].hosts[${j}]`, host, hostFaults(host))),
    ...(secretName
      ? invalidFor(`spec.tls[${i}].secretName`, secretName, dnsSubdomainFaults(secretName))
      : []),
  ]);
}

function hostFaults(host: string): readonly string[] {
  return host.includes('*') ? wildcardSubdomainFaults(host) : dnsSubdomainFaults(host);
}

function validateRule(field: string, { host, http }: IngressRule): FieldProblem[] {
  const rule = 'must be a DNS name, not an IP address';
  const paths = http?.paths ?? [];
  return [
    ...(host && isIpAddress(host) ? [invalid(`${field}.host`, host, rule)] : []),
    ...(host ? invalidFor(`${field}.host`, host, hostFaults(host)) : []),
    ...(http && paths.length === 0 ? [required(`${field}.http.paths`)] : []),
    ...paths.flatMap((path, i) => validatePath(`${field}.http.paths[${i}]`, path)),
  ];
}

function validatePath(field: string, path: HTTPIngressPath): FieldProblem[] {
  if (!path.pathType) return [required(`${field}.pathType`, 'pathType must be specified')];
  return [
    ...validatePathText(field, path),
    ...validateBackend(`${field}.backend`, path.backend ?? {}),
  ];
}

const unwantedParts: readonly string[] = ['//', '/./', '/../', '%2f', '%2F'];
const unwantedEnds: readonly string[] = ['/..', '/.'];

function validatePathText(field: string, { pathType, path = '' }: HTTPIngressPath): FieldProblem[] {
  const at = `${field}.path`;
  const absolute = path.startsWith('/') ? [] : [invalid(at, path, 'must be an absolute path')];
  switch (pathType) {
    case 'Exact':
    case 'Prefix':
      return [
        ...absolute,
        ...unwantedParts
          .filter((part) => path.includes(part))
          .map((part) => invalid(at, path, `must not contain '${part}'`)),
        ...unwantedEnds
          .filter((end) => path.endsWith(end))
          .map((end) => invalid(at, path, `cannot end with '${end}'`)),
      ];
    case 'ImplementationSpecific':
      return path ? absolute : [];
    default:
      return [
        notSupported(`${field}.pathType`, pathType, ['Exact', 'ImplementationSpecific', 'Prefix']),
      ];
  }
}

function validateBackend(field: string, { service, resource }: IngressBackend): FieldProblem[] {
  if (service && resource) {
    return [invalid(field, '', 'cannot set both resource and service backends')];
  }
  if (resource) return validateReference(`${field}.resource`, resource);
  if (service) return validateServiceBackend(field, service);
  return [invalid(field, '', 'resource or service backend is required')];
}

function validateServiceBackend(field: string, service: IngressServiceBackend): FieldProblem[] {
  const { name, port } = service;
  const at = `${field}.service.name`;
  return [
    ...(name ? invalidFor(at, name, rfc1035LabelFaults(name)) : [required(at)]),
    ...validateBackendPort(field, port?.name, port?.number),
  ];
}

function validateBackendPort(
  field: string,
  name: string | undefined,
  number: number | undefined,
): FieldProblem[] {
  if (name && number) return [invalid(field, '', 'cannot set both port name & port number')];
  if (name) return invalidFor(`${field}.service.port.name`, name, portNameFaults(name));
  if (number) return portNumber(`${field}.service.port.number`, number);
  return [required(field, 'port name or number is required')];
}
