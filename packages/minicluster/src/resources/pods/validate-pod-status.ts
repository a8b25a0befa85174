import type { Pod, Stored } from '@liqo/kube';
import type { Container, ContainerStatus, PodSpec } from 'kubernetes-types/core/v1.d.ts';
import { ipAddress, isDualStackPair } from '../validation/addresses.ts';
import { type FieldProblem, forbidden, invalid, invalidFor } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';
import { dnsSubdomainFaults, qualifiedNameFaults } from '../validation/names.ts';

export function validatePodStatusUpdate(next: Pod, previous: Stored<Pod>): FieldProblem[] {
  const status = next.status ?? {};
  const old = previous.status ?? {};
  const spec = previous.spec ?? { containers: [] };
  return [
    ...validateConditions('status.conditions', next),
    ...validateNominatedNode('status.nominatedNodeName', next, previous),
    ...unchanged('status.qosClass', status.qosClass, old.qosClass),
    ...staysEnded('status.containerStatuses', status.containerStatuses, old.containerStatuses, {
      spec,
      containers: spec.containers ?? [],
    }),
    ...staysEnded(
      'status.initContainerStatuses',
      status.initContainerStatuses,
      old.initContainerStatuses,
      { spec, containers: spec.initContainers ?? [] },
    ),
    ...validateAddresses('status.podIPs', status.podIPs, old.podIPs),
    ...validateHostAddress(next),
    ...validateAddresses('status.hostIPs', status.hostIPs, old.hostIPs),
  ];
}

const systemConditions: readonly string[] = ['PodScheduled', 'Ready', 'Initialized'];

function validateConditions(field: string, { status }: Pod): FieldProblem[] {
  return (status?.conditions ?? []).flatMap(({ type }, i) => {
    if (systemConditions.includes(type)) return [];
    return invalidFor(`${field}[${i}].Type`, type, qualifiedNameFaults(type));
  });
}

function validateNominatedNode(field: string, next: Pod, previous: Pod): FieldProblem[] {
  const name = next.status?.nominatedNodeName;
  if (!name || name === previous.status?.nominatedNodeName) return [];
  const faults = invalidFor(field, name, dnsSubdomainFaults(name));
  if (!previous.spec?.nodeName) return faults;
  return [...faults, forbidden(field, 'may not be set on pods that are already bound to a node')];
}

type Statuses = readonly ContainerStatus[] | undefined;

/** A container that came to an end, and may not be restarted, cannot run again. */
function staysEnded(
  field: string,
  next: Statuses,
  previous: Statuses,
  { spec, containers }: { readonly spec: PodSpec; readonly containers: readonly Container[] },
): FieldProblem[] {
  return (previous ?? []).flatMap(({ name, state }, i) => {
    const ended = state?.terminated;
    const now = next?.find((status) => status.name === name);
    if (!ended || !now || now.state?.terminated) return [];
    const container = containers.find((one) => one.name === name);
    if (container && mayRestart(container, spec, ended.exitCode)) return [];
    return [forbidden(`${field}[${i}].state`, 'may not be transitioned to non-terminated state')];
  });
}

function mayRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

type Addresses = readonly { readonly ip?: string }[] | undefined;

function validateAddresses(field: string, next: Addresses, previous: Addresses): FieldProblem[] {
  const known = (previous ?? []).map(({ ip }) => ip);
  const addresses = (next ?? []).map(({ ip = '' }) => ip);
  const problems = addresses.flatMap((ip, i) => ipAddress(`${field}[${i}]`, ip, known));
  if (addresses.length < 2 || isDualStackPair(addresses)) return problems;
  const shown = addresses.map((ip) => ({ IP: ip }));
  return [...problems, invalid(field, shown, 'may specify no more than one IP for each IP family')];
}

function validateHostAddress({ status }: Pod): FieldProblem[] {
  const first = status?.hostIPs?.[0]?.ip;
  if (first === undefined || first === status?.hostIP) return [];
  return [invalid('status.hostIPs[0].ip', first, 'must be equal to `hostIP`')];
}
