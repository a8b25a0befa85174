import type { Container, EphemeralContainer, PodSpec, Volume } from 'kubernetes-types/core/v1.d.ts';
import {
  duplicate,
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  notFound,
  notSupported,
  oneOf,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { dnsLabelFaults } from '../validation/names.ts';
import { validateEnv, validateEnvFrom } from './validate-env.ts';
import { validateMounts } from './validate-mounts.ts';
import { validateHostPorts, validatePorts } from './validate-ports.ts';
import { validateProbesAndHooks } from './validate-probes.ts';
import { validateResources } from './validate-resources.ts';
import { validateSecurityContext } from './validate-security.ts';

/** The pod around a container. */
export interface Surroundings {
  readonly spec: PodSpec;
  /** Those without problems of their own. */
  readonly volumes: ReadonlyMap<string, Volume>;
}

export function validateContainers(field: string, around: Surroundings): FieldProblem[] {
  const containers = around.spec.containers ?? [];
  if (containers.length === 0) return [required(field)];
  const names = new Set<string>();
  const grace = around.spec.terminationGracePeriodSeconds;
  const problems = containers.flatMap((container, i) => {
    const at = `${field}[${i}]`;
    return [
      ...validateAny(at, container, around),
      ...takeName(`${at}.name`, container.name, names),
      ...validateProbesAndHooks(at, container, grace),
      ...validateRestartPolicy(at, container),
    ];
  });
  return [...problems, ...validateHostPorts(field, containers)];
}

export function validateInitContainers(field: string, around: Surroundings): FieldProblem[] {
  const names = new Set((around.spec.containers ?? []).map(({ name }) => name));
  const grace = around.spec.terminationGracePeriodSeconds;
  return (around.spec.initContainers ?? []).flatMap((container, i) => {
    const at = `${field}[${i}]`;
    return [
      ...validateAny(at, container, around),
      ...validateRestartPolicy(at, container),
      ...takeName(`${at}.name`, container.name, names),
      ...validateHostPorts(field, [container]),
      ...(container.restartPolicy === 'Always'
        ? validateProbesAndHooks(at, container, grace)
        : validateRunsToEnd(at, container)),
    ];
  });
}

const onlyWhileRunning = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** An init container that is not a sidecar has nothing to be asked while it runs. */
function validateRunsToEnd(field: string, container: Container): FieldProblem[] {
  const rule = 'may not be set for init containers without restartPolicy=Always';
  return onlyWhileRunning
    .filter((key) => container[key] !== undefined)
    .map((key) => forbidden(`${field}.${key}`, rule));
}

const notForEphemeral = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

export function validateEphemeralContainers(field: string, around: Surroundings): FieldProblem[] {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = around.spec;
  const targets = new Set([...(containers ?? []), ...initContainers].map(({ name }) => name));
  const names = new Set(targets);
  return ephemeralContainers.flatMap((container, i) => {
    const at = `${field}[${i}]`;
    const target = container.targetContainerName;
    return [
      ...validateAny(at, container as Container, around),
      ...validateImageText(at, container),
      ...takeName(`${at}.name`, container.name, names),
      ...(target && !targets.has(target) ? [notFound(`${at}.targetContainerName`, target)] : []),
      ...validateIsPlain(at, container),
    ];
  });
}

function validateIsPlain(field: string, container: EphemeralContainer): FieldProblem[] {
  const rule = 'cannot be set for an Ephemeral Container';
  const unwanted = notForEphemeral.filter((key) => container[key] !== undefined);
  const hasResources = Object.keys(container.resources ?? {}).length > 0;
  const mounts = container.volumeMounts ?? [];
  return [
    ...unwanted.map((key) => forbidden(`${field}.${key}`, rule)),
    ...(hasResources ? [forbidden(`${field}.resources`, rule)] : []),
    ...mounts.flatMap(({ subPath, subPathExpr }, i) => [
      ...(subPath ? [forbidden(`${field}.volumeMounts[${i}].subPath`, rule)] : []),
      ...(subPathExpr ? [forbidden(`${field}.volumeMounts[${i}].subPathExpr`, rule)] : []),
    ]),
  ];
}

const pullPolicies: readonly string[] = ['Always', 'IfNotPresent', 'Never'];

/** What holds for containers of all kinds. */
function validateAny(field: string, container: Container, around: Surroundings): FieldProblem[] {
  const { name, image, ports = [], env = [], envFrom = [], securityContext } = container;
  const podClaims = (around.spec.resourceClaims ?? []).map((claim) => claim.name);
  return [
    ...(name
      ? invalidFor(`${field}.name`, name, dnsLabelFaults(name))
      : [required(`${field}.name`)]),
    ...(image ? [] : [required(`${field}.image`)]),
    ...requiredOneOf(`${field}.terminationMessagePolicy`, container.terminationMessagePolicy, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(`${field}.ports`, ports),
    ...validateEnv(`${field}.env`, env),
    ...validateEnvFrom(`${field}.envFrom`, envFrom),
    ...validateMounts(field, container, around.volumes),
    ...requiredOneOf(`${field}.imagePullPolicy`, container.imagePullPolicy, pullPolicies),
    ...validateResources(`${field}.resources`, container.resources ?? {}, podClaims),
    ...validateResizePolicy(`${field}.resizePolicy`, container, around.spec),
    ...(securityContext
      ? validateSecurityContext(`${field}.securityContext`, securityContext)
      : []),
  ];
}

function takeName(field: string, name: string, names: Set<string>): FieldProblem[] {
  if (names.has(name)) return [duplicate(field, name)];
  names.add(name);
  return [];
}

/** In a pod, not in a template: some templates are filled in by what makes pods of them. */
export function validateImageText(
  field: string,
  { image = '' }: { image?: string },
): FieldProblem[] {
  if (image.trim() === image) return [];
  return [invalid(`${field}.image`, image, 'must not have leading or trailing whitespace')];
}

const restartPolicies: readonly string[] = ['Always', 'Never', 'OnFailure'];

function validateRestartPolicy(field: string, container: Container): FieldProblem[] {
  const { restartPolicy } = container;
  return restartPolicy ? oneOf(`${field}.restartPolicy`, restartPolicy, restartPolicies) : [];
}

function validateResizePolicy(field: string, container: Container, spec: PodSpec): FieldProblem[] {
  const policies = container.resizePolicy ?? [];
  return policies.flatMap(({ resourceName, restartPolicy }, i) => {
    const isRepeated = policies.slice(0, i).some((one) => one.resourceName === resourceName);
    const mayNotRestart = spec.restartPolicy === 'Never' && restartPolicy !== 'NotRequired';
    const rule = "must be 'NotRequired' when `restartPolicy` is 'Never'";
    return [
      ...(isRepeated ? [duplicate(`${field}[${i}]`, resourceName)] : []),
      ...named(field, resourceName, ['cpu', 'memory']),
      ...named(field, restartPolicy, ['NotRequired', 'RestartContainer']),
      ...(mayNotRestart ? [invalid(field, restartPolicy, rule)] : []),
    ];
  });
}

function named(field: string, value: string, supported: readonly string[]): FieldProblem[] {
  if (!value) return [required(field)];
  return supported.includes(value) ? [] : [notSupported(field, value, supported)];
}
