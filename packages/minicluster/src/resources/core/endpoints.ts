import { Endpoints } from '@liqo/kube';
import type { EndpointAddress, EndpointPort, EndpointSubset } from 'kubernetes-types/core/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach, fillIn } from '../fill-in.ts';
import { protocols } from '../pods/validate-ports.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { endpointAddress, ipAddress } from '../validation/addresses.ts';
import {
  type FieldProblem,
  invalidFor,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { dnsLabelFaults, dnsSubdomainFaults, qualifiedNameFaults } from '../validation/names.ts';
import { portNumber } from '../validation/numbers.ts';

export const endpoints = defineResource<Endpoints>({
  kind: Endpoints,
  singular: 'endpoints',
  shortNames: ['ep'],
  columns: [nameColumn, textColumn('Endpoints', endpointsText), ageColumn],
  strategy: {
    generation: 'none',
    withDefaults: (object: Endpoints) =>
      changeEach(object, 'subsets', (subset: EndpointSubset) =>
        changeEach(subset, 'ports', (port: EndpointPort) => fillIn(port, { protocol: 'TCP' })),
      ),
    validate: ({ subsets = [] }: Endpoints) =>
      subsets.flatMap((subset, i) => validateSubset(`subsets[${i}]`, subset)),
    createsOnUpdate: true,
  },
});

const shown = 3;

/** `10.0.0.1:80,10.0.0.2:80 + 2 more...`, every address with every port. */
function endpointsText({ subsets = [] }: Endpoints): string {
  if (subsets.length === 0) return '<none>';
  const all = subsets.flatMap(({ addresses = [], ports = [] }) => {
    if (ports.length === 0) return addresses.map(({ ip }) => ip);
    return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostAndPort(ip, port)));
  });
  const text = all.slice(0, shown).join(',');
  return all.length > shown ? `${text} + ${all.length - shown} more...` : text;
}

function hostAndPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function validateSubset(field: string, subset: EndpointSubset): FieldProblem[] {
  const { addresses = [], notReadyAddresses = [], ports = [] } = subset;
  const isEmpty = addresses.length + notReadyAddresses.length === 0;
  return [
    ...(isEmpty ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...addresses.flatMap((one, i) => validateAddress(`${field}.addresses[${i}]`, one)),
    ...notReadyAddresses.flatMap((one, i) =>
      validateAddress(`${field}.notReadyAddresses[${i}]`, one),
    ),
    ...ports.flatMap((port, i) => validatePort(`${field}.ports[${i}]`, port, ports.length > 1)),
  ];
}

function validateAddress(
  field: string,
  { ip, hostname, nodeName }: EndpointAddress,
): FieldProblem[] {
  return [
    ...ipAddress(`${field}.ip`, ip),
    ...(hostname ? invalidFor(`${field}.hostname`, hostname, dnsLabelFaults(hostname)) : []),
    ...(nodeName === undefined
      ? []
      : invalidFor(`${field}.nodeName`, nodeName, dnsSubdomainFaults(nodeName))),
    ...endpointAddress(`${field}.ip`, ip),
  ];
}

function validatePort(field: string, port: EndpointPort, needsName: boolean): FieldProblem[] {
  const { name, appProtocol } = port;
  const at = `${field}.name`;
  return [
    ...(needsName && !name ? [required(at)] : []),
    ...(name ? invalidFor(at, name, dnsLabelFaults(name)) : []),
    ...portNumber(`${field}.port`, port.port),
    ...requiredOneOf(`${field}.protocol`, port.protocol, protocols),
    ...(appProtocol === undefined
      ? []
      : invalidFor(`${field}.appProtocol`, appProtocol, qualifiedNameFaults(appProtocol))),
  ];
}
