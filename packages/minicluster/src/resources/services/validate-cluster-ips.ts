import type { Service, Stored } from '@liqo/kube';
import type { ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { ipAddress, isDualStackPair, isIpAddress, isIpv4 } from '../validation/addresses.ts';
import {
  duplicate,
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { dnsSubdomainFaults } from '../validation/names.ts';
import { isHeadless, needsHealthCheckPort } from './service-needs.ts';

const families: readonly string[] = ['IPv4', 'IPv6'];
const policies: readonly string[] = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];

/** The addresses of a service, and what is said about their families. */
export function validateClusterIps(spec: ServiceSpec): FieldProblem[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy } = spec;
  const addresses = clusterIPs.flatMap((ip, i) => validateIp(clusterIPs, ip, i));
  const problems = [
    ...validateAgreement(spec, clusterIPs),
    ...ipFamilies.flatMap((family, i) => validateFamily(ipFamilies, family, i)),
    ...(ipFamilyPolicy ? oneOf('spec.ipFamilyPolicy', ipFamilyPolicy, policies) : []),
    ...addresses,
    ...(clusterIPs.length > 2
      ? [invalid('spec.clusterIPs', clusterIPs, 'may only hold up to 2 values')]
      : []),
  ];
  if (addresses.length > 0) return problems;
  const isMixed = clusterIPs.length > 1 && !isDualStackPair(clusterIPs);
  const rule = 'may specify no more than one IP for each IP family';
  return [
    ...problems,
    ...(isMixed ? [invalid('spec.clusterIPs', clusterIPs, rule)] : []),
    ...(isHeadless(spec) ? [] : validateFamiliesOf(clusterIPs, ipFamilies)),
  ];
}

function validateAgreement(
  { clusterIP }: ServiceSpec,
  clusterIPs: readonly string[],
): FieldProblem[] {
  const field = 'spec.clusterIPs';
  if (!clusterIP) {
    const rule = 'must be empty when `clusterIP` is not specified';
    return clusterIPs.length > 0 ? [invalid(field, clusterIPs, rule)] : [];
  }
  if (clusterIPs.length === 0) return [required(field)];
  if (clusterIPs[0] === clusterIP) return [];
  return [invalid(field, clusterIPs, 'first value must match `clusterIP`')];
}

function validateFamily(all: readonly string[], family: string, i: number): FieldProblem[] {
  const field = `spec.ipFamilies[${i}]`;
  return [
    ...(families.includes(family) ? [] : [notSupported(field, family, families)]),
    ...(all.indexOf(family) < i ? [duplicate(field, family)] : []),
  ];
}

function validateIp(all: readonly string[], ip: string, i: number): FieldProblem[] {
  if (i > 0 || ip !== 'None') return ipAddress(`spec.clusterIPs[${i}]`, ip);
  if (all.length === 1) return [];
  return [invalid('spec.clusterIPs', all, "'None' must be the first and only value")];
}

function validateFamiliesOf(
  addresses: readonly string[],
  asked: readonly string[],
): FieldProblem[] {
  return addresses.flatMap((ip, i) => {
    const family = asked[i];
    if (family === undefined || (family === 'IPv4') === isIpv4(ip)) return [];
    const rule = `expected an ${family} value as indicated by \`ipFamilies[${i}]\``;
    return [invalid(`spec.clusterIPs[${i}]`, ip, rule)];
  });
}

/** An address is for life, unless the service stops having one. */
export function validateServiceUpdate(next: Service, previous: Stored<Service>): FieldProblem[] {
  const [spec, old] = [next.spec ?? {}, previous.spec ?? {}];
  const isNamed = spec.type === 'ExternalName' || old.type === 'ExternalName';
  return [
    ...(isNamed ? [] : keepsAddresses(spec, old)),
    ...(isNamed ? [] : keepsFamilies(spec, old)),
    ...keepsBalancerClass(spec, old),
    ...keepsHealthCheckPort(spec, old),
  ];
}

function keepsAddresses(spec: ServiceSpec, old: ServiceSpec): FieldProblem[] {
  if (isHeadless(spec) && isHeadless(old)) return [];
  const ips = spec.clusterIPs ?? [];
  return (old.clusterIPs ?? []).flatMap((ip, i) => {
    const isDropped = i > 0 && i >= ips.length;
    if (ip === ips[i] || isDropped) return [];
    return [invalid(`spec.clusterIPs[${i}]`, ips, 'may not change once set')];
  });
}

function keepsFamilies(spec: ServiceSpec, old: ServiceSpec): FieldProblem[] {
  if (isHeadless(spec) || isHeadless(old)) return [];
  const asked = spec.ipFamilies ?? [];
  const isSame = (old.ipFamilies ?? [])[0] === asked[0];
  return isSame ? [] : [invalid('spec.ipFamilies[0]', asked, 'may not change once set')];
}

function keepsBalancerClass(spec: ServiceSpec, old: ServiceSpec): FieldProblem[] {
  const areBalanced = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer';
  if (!areBalanced || spec.loadBalancerClass === old.loadBalancerClass) return [];
  return [invalid('spec.loadBalancerClass', spec.loadBalancerClass, 'may not change once set')];
}

function keepsHealthCheckPort(spec: ServiceSpec, old: ServiceSpec): FieldProblem[] {
  const areChecked = needsHealthCheckPort(spec) && needsHealthCheckPort(old);
  if (!areChecked || spec.healthCheckNodePort === old.healthCheckNodePort) return [];
  return [forbidden('spec.healthCheckNodePort', 'field is immutable')];
}

/** Where the balancer can be reached: addresses or names, and only if there is one. */
export function validateServiceStatus({ spec, status }: Service): FieldProblem[] {
  const field = 'status.loadBalancer.ingress';
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0 && spec?.type !== 'LoadBalancer') {
    return [forbidden(field, "may only be used when `spec.type` is 'LoadBalancer'")];
  }
  return ingress.flatMap(({ ip, hostname, ipMode }, i) => [
    ...(ip ? ipAddress(`${field}[${i}].ip`, ip) : []),
    ...validateIpMode(`${field}[${i}].ipMode`, ip, ipMode),
    ...validateHostname(`${field}[${i}].hostname`, hostname),
  ]);
}

function validateIpMode(
  field: string,
  ip: string | undefined,
  mode: string | undefined,
): FieldProblem[] {
  if (mode === undefined) return ip ? [required(field, 'must be specified when `ip` is set')] : [];
  if (!ip) return [forbidden(field, 'may not be specified when `ip` is not set')];
  return oneOf(field, mode, ['Proxy', 'VIP']);
}

export function validateHostname(field: string, hostname: string | undefined): FieldProblem[] {
  if (!hostname) return [];
  const faults = [...dnsSubdomainFaults(hostname)];
  if (isIpAddress(hostname)) faults.push('must be a DNS name, not an IP address');
  return invalidFor(field, hostname, faults);
}
