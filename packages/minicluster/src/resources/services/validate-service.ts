import type { Service } from '@liqo/kube';
import type { ServicePort, ServiceSpec } from 'kubernetes-types/core/v1.d.ts';
import { protocols } from '../pods/validate-ports.ts';
import { cidr, endpointAddress, ipAddress } from '../validation/addresses.ts';
import {
  duplicate,
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  oneOf,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { validateLabels } from '../validation/labels.ts';
import { dnsLabelFaults, dnsSubdomainFaults, qualifiedNameFaults } from '../validation/names.ts';
import { portNumber, portNumberOrName } from '../validation/numbers.ts';
import {
  hasNodePorts,
  isExternallyAccessible,
  isHeadless,
  needsHealthCheckPort,
} from './service-needs.ts';
import { validateClusterIps } from './validate-cluster-ips.ts';

const types: readonly string[] = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

export function validateService({ spec = {} }: Service): FieldProblem[] {
  const ports = spec.ports ?? [];
  const needsPorts = !isHeadless(spec) && spec.type !== 'ExternalName';
  return [
    ...(ports.length === 0 && needsPorts ? [required('spec.ports')] : []),
    ...validateType(spec),
    ...ports.flatMap((port, i) => validatePort(`spec.ports[${i}]`, port, ports.slice(0, i), ports)),
    ...validateLabels('spec.selector', spec.selector),
    ...validateAffinity(spec),
    ...(spec.type === 'ExternalName' ? [] : validateClusterIps(spec)),
    ...(spec.externalIPs ?? []).flatMap((ip, i) =>
      validateExternalIp(`spec.externalIPs[${i}]`, ip),
    ),
    ...requiredOneOf('spec.type', spec.type, types),
    ...validateNodePorts(spec, ports),
    ...validateRepeatedPorts(ports),
    ...validateBalancer(spec),
    ...validateTraffic(spec),
  ];
}

function validateType(spec: ServiceSpec): FieldProblem[] {
  if (isHeadless(spec) && hasNodePorts(spec)) {
    const rule = `may not be set to 'None' for ${spec.type} services`;
    return [invalid('spec.clusterIPs[0]', 'None', rule)];
  }
  return spec.type === 'ExternalName' ? validateExternalName(spec) : [];
}

function validateExternalName(spec: ServiceSpec): FieldProblem[] {
  const unwanted = (['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const).filter(
    (field) => spec[field] !== undefined,
  );
  const name = (spec.externalName ?? '').replace(/\.$/, '');
  return [
    ...unwanted.map((field) =>
      forbidden(`spec.${field}`, 'may not be set for ExternalName services'),
    ),
    ...(name
      ? invalidFor('spec.externalName', name, dnsSubdomainFaults(name))
      : [required('spec.externalName')]),
  ];
}

function validatePort(
  field: string,
  port: ServicePort,
  earlier: readonly ServicePort[],
  all: readonly ServicePort[],
): FieldProblem[] {
  const { name, appProtocol, targetPort = port.port } = port;
  const isRepeated = name && earlier.some((one) => one.name === name);
  return [
    ...(all.length > 1 && !name ? [required(`${field}.name`)] : []),
    ...(name ? invalidFor(`${field}.name`, name, dnsLabelFaults(name)) : []),
    ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
    ...portNumber(`${field}.port`, port.port),
    ...requiredOneOf(`${field}.protocol`, port.protocol, protocols),
    ...portNumberOrName(`${field}.targetPort`, targetPort),
    ...(appProtocol === undefined
      ? []
      : invalidFor(`${field}.appProtocol`, appProtocol, qualifiedNameFaults(appProtocol))),
  ];
}

const oneDay = 86_400;

function validateAffinity(spec: ServiceSpec): FieldProblem[] {
  const { sessionAffinity, sessionAffinityConfig } = spec;
  const known = requiredOneOf('spec.sessionAffinity', sessionAffinity, ['ClientIP', 'None']);
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds;
  if (sessionAffinity !== 'ClientIP' || seconds === undefined) return known;
  if (seconds > 0 && seconds <= oneDay) return known;
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  return [...known, invalid(field, seconds, `must be greater than 0 and less than ${oneDay}`)];
}

function validateExternalIp(field: string, ip: string): FieldProblem[] {
  const problems = ipAddress(field, ip);
  return problems.length > 0 ? problems : endpointAddress(field, ip);
}

function validateNodePorts(spec: ServiceSpec, ports: readonly ServicePort[]): FieldProblem[] {
  const rule = "may not be used when `type` is 'ClusterIP'";
  const unwanted = spec.type === 'ClusterIP' ? ports : [];
  const key = ({ protocol, nodePort }: ServicePort) => `${protocol}/${nodePort}`;
  return [
    ...unwanted.flatMap(({ nodePort }, i) =>
      nodePort ? [forbidden(`spec.ports[${i}].nodePort`, rule)] : [],
    ),
    ...ports.flatMap((port, i) => {
      const isRepeated = ports.slice(0, i).some((one) => key(one) === key(port));
      if (!port.nodePort || !isRepeated) return [];
      return [duplicate(`spec.ports[${i}].nodePort`, port.nodePort)];
    }),
  ];
}

/** A port as the server holds it, which is how it shows up in its messages. */
function internalPort({ protocol, port }: ServicePort): object {
  const open = { AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
  return { Name: '', Protocol: protocol, ...open };
}

function validateRepeatedPorts(ports: readonly ServicePort[]): FieldProblem[] {
  return ports.flatMap((port, i) => {
    const isRepeated = ports.slice(0, i).some((one) => {
      return one.protocol === port.protocol && one.port === port.port;
    });
    return isRepeated ? [duplicate(`spec.ports[${i}]`, internalPort(port))] : [];
  });
}

function validateBalancer(spec: ServiceSpec): FieldProblem[] {
  const isBalanced = spec.type === 'LoadBalancer';
  const rule = "may only be used when `type` is 'LoadBalancer'";
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const { allocateLoadBalancerNodePorts, loadBalancerClass } = spec;
  const named = isBalanced && loadBalancerClass !== undefined;
  return [
    ...(ranges.length > 0 && !isBalanced ? [forbidden('spec.LoadBalancerSourceRanges', rule)] : []),
    ...ranges.flatMap((range, i) => cidr(`spec.LoadBalancerSourceRanges[${i}]`, range.trim())),
    ...(allocateLoadBalancerNodePorts !== undefined && !isBalanced
      ? [forbidden('spec.allocateLoadBalancerNodePorts', rule)]
      : []),
    ...(named
      ? invalidFor(
          'spec.loadBalancerClass',
          loadBalancerClass,
          qualifiedNameFaults(loadBalancerClass),
        )
      : []),
    ...(loadBalancerClass !== undefined && !isBalanced
      ? [forbidden('spec.loadBalancerClass', rule)]
      : []),
  ];
}

const distributions: readonly string[] = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

function validateTraffic(spec: ServiceSpec): FieldProblem[] {
  const { internalTrafficPolicy, healthCheckNodePort } = spec;
  const { trafficDistribution } = spec as { trafficDistribution?: string };
  const rule =
    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
  return [
    ...validateExternalTraffic(spec),
    ...(healthCheckNodePort && !needsHealthCheckPort(spec)
      ? [invalid('spec.healthCheckNodePort', healthCheckNodePort, rule)]
      : []),
    ...(internalTrafficPolicy
      ? oneOf('spec.internalTrafficPolicy', internalTrafficPolicy, ['Cluster', 'Local'])
      : []),
    ...(trafficDistribution
      ? oneOf('spec.trafficDistribution', trafficDistribution, distributions)
      : []),
  ];
}

function validateExternalTraffic(spec: ServiceSpec): FieldProblem[] {
  const field = 'spec.externalTrafficPolicy';
  const policy = spec.externalTrafficPolicy;
  if (isExternallyAccessible(spec)) return requiredOneOf(field, policy, ['Cluster', 'Local']);
  if (!policy) return [];
  return [invalid(field, policy, 'may only be set for externally-accessible services')];
}
