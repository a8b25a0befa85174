import { EndpointSlice, type Stored } from '@liqo/kube';
import type { Endpoint, EndpointHints, EndpointPort } from 'kubernetes-types/discovery/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach, fillIn } from '../fill-in.ts';
import { protocols } from '../pods/validate-ports.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { canonicalIpv6, endpointAddress, ipAddress, isIpv4 } from '../validation/addresses.ts';
import {
  duplicate,
  type FieldProblem,
  invalid,
  invalidFor,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  labelValueFaults,
  qualifiedNameFaults,
} from '../validation/names.ts';

export const endpointSlices = defineResource<EndpointSlice>({
  kind: EndpointSlice,
  columns: [
    nameColumn,
    textColumn('AddressType', ({ addressType }: EndpointSlice) => addressType),
    textColumn('Ports', ({ ports }: EndpointSlice) => {
      return firstFew((ports ?? []).map(({ port, name }) => `${port ?? name ?? '*'}`));
    }),
    textColumn('Endpoints', ({ endpoints }: EndpointSlice) => {
      return firstFew((endpoints ?? []).flatMap(({ addresses }) => addresses ?? []));
    }),
    ageColumn,
  ],
  strategy: {
    withDefaults: (object: EndpointSlice) =>
      changeEach(object, 'ports', (port: EndpointPort) =>
        fillIn(port, { name: '', protocol: 'TCP' }),
      ),
    validate: validateSlice,
    validateUpdate: (next: EndpointSlice, previous: Stored<EndpointSlice>) =>
      unchanged('addressType', next.addressType, previous.addressType),
  },
});

const shown = 3;

function firstFew(values: readonly string[]): string {
  const text = values.slice(0, shown).join(',');
  if (values.length > shown) return `${text} + ${values.length - shown} more...`;
  return text || '<unset>';
}

function validateSlice({ addressType, ports, endpoints }: EndpointSlice): FieldProblem[] {
  const names = (ports ?? []).map(({ name = '' }) => name);
  return [
    ...requiredOneOf('addressType', addressType, ['FQDN', 'IPv4', 'IPv6']),
    ...(ports ?? []).flatMap((port, i) => validatePort(`ports[${i}]`, port, names.slice(0, i))),
    ...(endpoints ?? []).flatMap((one, i) => validateEndpoint(`endpoints[${i}]`, one, addressType)),
  ];
}

function validatePort(
  field: string,
  port: EndpointPort,
  earlier: readonly string[],
): FieldProblem[] {
  const { name = '', protocol, appProtocol } = port;
  return [
    ...(name ? invalidFor(`${field}.name`, name, dnsLabelFaults(name)) : []),
    ...(earlier.includes(name) ? [duplicate(`${field}.name`, name)] : []),
    ...requiredOneOf(`${field}.protocol`, protocol, protocols),
    ...(appProtocol === undefined
      ? []
      : invalidFor(`${field}.appProtocol`, appProtocol, qualifiedNameFaults(appProtocol))),
  ];
}

function validateEndpoint(field: string, endpoint: Endpoint, type: string): FieldProblem[] {
  const { nodeName, hostname, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const at = `${field}.addresses`;
  return [
    ...(addresses.length === 0 ? [required(at, 'must contain at least 1 address')] : []),
    ...addresses.flatMap((address, i) => validateAddress(at, i, address, type)),
    ...(nodeName === undefined
      ? []
      : invalidFor(`${field}.nodeName`, nodeName, dnsSubdomainFaults(nodeName))),
    ...(hostname === undefined
      ? []
      : invalidFor(`${field}.hostname`, hostname, dnsLabelFaults(hostname))),
    ...(hints ? validateHints(`${field}.hints`, hints) : []),
  ];
}

function validateAddress(
  field: string,
  index: number,
  address: string,
  type: string,
): FieldProblem[] {
  const at = `${field}[${index}]`;
  if (type === 'FQDN') return validateDomain(at, address);
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const problems = type === 'IPv4' ? ipAddress(at, address) : canonicalIpv6(at, address);
  if (problems.length > 0) return problems;
  const isOther = isIpv4(address) !== (type === 'IPv4');
  return [
    ...(isOther ? [invalid(field, address, `must be an ${type} address`)] : []),
    ...endpointAddress(at, address),
  ];
}

function validateDomain(field: string, address: string): FieldProblem[] {
  if (!address) return [required(field)];
  const domain = address.replace(/\.$/, '');
  const faults = dnsSubdomainFaults(domain);
  if (faults.length > 0) return [invalid(field, domain, faults.join(','))];
  if (domain.includes('.')) return [];
  return [
    invalid(field, domain, 'should be a domain with at least two segments separated by dots'),
  ];
}

function validateHints(field: string, { forZones = [] }: EndpointHints): FieldProblem[] {
  const names = forZones.map(({ name }) => name);
  return names.flatMap((name, i) => {
    const at = `${field}.forZones[${i}].name`;
    return [
      ...(names.indexOf(name) < i ? [duplicate(at, name)] : []),
      ...invalidFor(at, name, labelValueFaults(name)),
    ];
  });
}
