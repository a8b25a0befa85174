import type { Container, ContainerPort, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import {
  duplicate,
  type FieldProblem,
  invalid,
  invalidFor,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { portNameFaults } from '../validation/names.ts';
import { portNumber } from '../validation/numbers.ts';

export const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

export function validatePorts(field: string, ports: readonly ContainerPort[]): FieldProblem[] {
  const names = new Set<string>();
  return ports.flatMap((port, i) => {
    const at = `${field}[${i}]`;
    const { containerPort, hostPort, protocol } = port;
    return [
      ...validatePortName(`${at}.name`, port.name, names),
      ...(containerPort
        ? portNumber(`${at}.containerPort`, containerPort)
        : [required(`${at}.containerPort`)]),
      ...(hostPort ? portNumber(`${at}.hostPort`, hostPort) : []),
      ...requiredOneOf(`${at}.protocol`, protocol, protocols),
    ];
  });
}

function validatePortName(
  field: string,
  name: string | undefined,
  names: Set<string>,
): FieldProblem[] {
  if (!name) return [];
  const faults = portNameFaults(name);
  if (faults.length > 0) return invalidFor(field, name, faults);
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

/** Containers that run at the same time cannot have the same port of the node. */
export function validateHostPorts(field: string, containers: readonly Container[]): FieldProblem[] {
  const taken = new Set<string>();
  return containers.flatMap(({ ports = [] }, c) =>
    ports.flatMap(({ protocol, hostIP = '', hostPort }, p) => {
      if (!hostPort) return [];
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) return [duplicate(`${field}[${c}].ports[${p}].hostPort`, key)];
      taken.add(key);
      return [];
    }),
  );
}

/** On the network of the node a port is the same inside and outside. In a template it may be left open. */
export function validateHostNetwork(field: string, spec: PodSpec, isPod: boolean): FieldProblem[] {
  if (!spec.hostNetwork) return [];
  const rule = 'must match `containerPort` when `hostNetwork` is true';
  return (spec.containers ?? []).flatMap(({ ports = [] }, c) =>
    ports.flatMap(({ hostPort = 0, containerPort }, p) => {
      const isFine = hostPort === containerPort || (!isPod && hostPort === 0);
      const at = `${field}.containers[${c}].ports[${p}].hostPort`;
      return isFine ? [] : [invalid(at, hostPort, rule)];
    }),
  );
}
