import type {
  Container,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
} from 'kubernetes-types/core/v1.d.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  required,
} from '../validation/field-problem.ts';
import { headerNameFaults } from '../validation/names.ts';
import { nonNegative, portNumberOrName } from '../validation/numbers.ts';

/** What is asked of a running container: its probes, and its hooks. */
export function validateProbesAndHooks(
  field: string,
  container: Container,
  gracePeriod: number | undefined,
): FieldProblem[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...(lifecycle ? validateLifecycle(`${field}.lifecycle`, lifecycle, gracePeriod) : []),
    ...validateProbe(`${field}.livenessProbe`, livenessProbe, succeedsOnce),
    ...validateProbe(`${field}.readinessProbe`, readinessProbe, hasNoGracePeriod),
    ...validateProbe(`${field}.startupProbe`, startupProbe, succeedsOnce),
  ];
}

function succeedsOnce(field: string, { successThreshold }: Probe): FieldProblem[] {
  if (successThreshold === 1) return [];
  return [invalid(`${field}.successThreshold`, successThreshold ?? 0, 'must be 1')];
}

function hasNoGracePeriod(field: string, probe: Probe): FieldProblem[] {
  const { terminationGracePeriodSeconds: period } = probe;
  if (period === undefined) return [];
  const at = `${field}.terminationGracePeriodSeconds`;
  return [invalid(at, period, 'must not be set for readinessProbes')];
}

function validateProbe(
  field: string,
  probe: Probe | undefined,
  special: (field: string, probe: Probe) => FieldProblem[],
): FieldProblem[] {
  if (!probe) return [];
  const { terminationGracePeriodSeconds: period } = probe;
  return [
    ...validateHandler(field, probe, undefined),
    ...nonNegative(`${field}.initialDelaySeconds`, probe.initialDelaySeconds),
    ...nonNegative(`${field}.timeoutSeconds`, probe.timeoutSeconds),
    ...nonNegative(`${field}.periodSeconds`, probe.periodSeconds),
    ...nonNegative(`${field}.successThreshold`, probe.successThreshold),
    ...nonNegative(`${field}.failureThreshold`, probe.failureThreshold),
    ...(period !== undefined && period <= 0
      ? [invalid(`${field}.terminationGracePeriodSeconds`, period, 'must be greater than 0')]
      : []),
    ...special(field, probe),
  ];
}

function validateLifecycle(
  field: string,
  { postStart, preStop }: Lifecycle,
  gracePeriod: number | undefined,
): FieldProblem[] {
  return [
    ...(postStart ? validateHandler(`${field}.postStart`, postStart, gracePeriod) : []),
    ...(preStop ? validateHandler(`${field}.preStop`, preStop, gracePeriod) : []),
  ];
}

type Handler = LifecycleHandler & Pick<Probe, 'grpc'>;

const handlerOrder = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

function validateHandler(
  field: string,
  handler: Handler,
  gracePeriod: number | undefined,
): FieldProblem[] {
  const [first, ...more] = handlerOrder.filter((type) => handler[type] !== undefined);
  if (!first) return [required(field, 'must specify a handler type')];
  const surplus = more.map((type) =>
    forbidden(`${field}.${type}`, 'may not specify more than 1 handler type'),
  );
  return [...validateAction(`${field}.${first}`, handler, gracePeriod), ...surplus];
}

function validateAction(
  field: string,
  { exec, httpGet, tcpSocket, grpc, sleep }: Handler,
  gracePeriod: number | undefined,
): FieldProblem[] {
  if (exec) return exec.command?.length ? [] : [required(`${field}.command`)];
  if (httpGet) return validateHttpGet(field, httpGet);
  if (tcpSocket) return portNumberOrName(`${field}.port`, tcpSocket.port);
  if (grpc) return portNumberOrName(`${field}.port`, grpc.port);
  const seconds = sleep?.seconds ?? 0;
  if (gracePeriod === undefined || (seconds >= 0 && seconds <= gracePeriod)) return [];
  const rule = `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`;
  return [invalid(field, seconds, rule)];
}

const schemes: readonly string[] = ['HTTP', 'HTTPS'];

function validateHttpGet(field: string, action: HTTPGetAction): FieldProblem[] {
  const { path, port, scheme = '', httpHeaders = [] } = action;
  return [
    ...(path ? [] : [required(`${field}.path`)]),
    ...portNumberOrName(`${field}.port`, port),
    ...(schemes.includes(scheme) ? [] : [notSupported(`${field}.scheme`, scheme, schemes)]),
    ...httpHeaders.flatMap(({ name }) =>
      invalidFor(`${field}.httpHeaders`, name, headerNameFaults(name)),
    ),
  ];
}
