import type {
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from 'kubernetes-types/core/v1.d.ts';
import {
  duplicate,
  type FieldProblem,
  invalid,
  oneOf,
  required,
  requiredOneOf,
} from '../validation/field-problem.ts';
import { systemId } from '../validation/numbers.ts';
import { descendingPath } from '../validation/paths.ts';

export function validateSecurityContext(field: string, context: SecurityContext): FieldProblem[] {
  const { procMount, seccompProfile } = context;
  return [
    ...systemId(`${field}.runAsUser`, context.runAsUser),
    ...systemId(`${field}.runAsGroup`, context.runAsGroup),
    ...(procMount ? oneOf(`${field}.procMount`, procMount, ['Default', 'Unmasked']) : []),
    ...(seccompProfile ? validateSeccomp(`${field}.seccompProfile`, seccompProfile) : []),
    ...validateEscalation(field, context),
  ];
}

/** Who is privileged already cannot be kept from becoming so. */
function validateEscalation(field: string, context: SecurityContext): FieldProblem[] {
  if (context.allowPrivilegeEscalation !== false) return [];
  const rule = 'cannot set `allowPrivilegeEscalation` to false and';
  const problems: FieldProblem[] = [];
  if (context.privileged) problems.push(invalid(field, context, `${rule} \`privileged\` to true`));
  if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    problems.push(invalid(field, context, `${rule} \`capabilities.Add\` CAP_SYS_ADMIN`));
  }
  return problems;
}

export function validatePodSecurity(field: string, spec: PodSpec): FieldProblem[] {
  const context = spec.securityContext ?? {};
  const { supplementalGroups = [], fsGroupChangePolicy, seccompProfile } = context;
  return [
    ...systemId(`${field}.fsGroup`, context.fsGroup),
    ...systemId(`${field}.runAsUser`, context.runAsUser),
    ...systemId(`${field}.runAsGroup`, context.runAsGroup),
    ...supplementalGroups.flatMap((group, i) =>
      systemId(`${field}.supplementalGroups[${i}]`, group),
    ),
    ...validateSharedNamespace(`${field}.shareProcessNamespace`, spec),
    ...validateSysctls(`${field}.sysctls`, context.sysctls ?? []),
    ...(fsGroupChangePolicy
      ? oneOf(`${field}.fsGroupChangePolicy`, fsGroupChangePolicy, ['Always', 'OnRootMismatch'])
      : []),
    ...(seccompProfile ? validateSeccomp(`${field}.seccompProfile`, seccompProfile) : []),
  ];
}

function validateSharedNamespace(field: string, spec: PodSpec): FieldProblem[] {
  if (!spec.shareProcessNamespace || !spec.hostPID) return [];
  return [invalid(field, true, 'ShareProcessNamespace and HostPID cannot both be enabled')];
}

const sysctlName = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?';

function validateSysctls(
  field: string,
  sysctls: NonNullable<PodSecurityContext['sysctls']>,
): FieldProblem[] {
  return sysctls.flatMap(({ name }, i) => {
    const at = `${field}[${i}].name`;
    if (!name) return [required(at)];
    if (name.length > 253 || !new RegExp(`^${sysctlName}$`).test(name)) {
      const rule = `must have at most 253 characters and match regex ^${sysctlName}$`;
      return [invalid(at, name, rule)];
    }
    return sysctls.slice(0, i).some((one) => one.name === name) ? [duplicate(at, name)] : [];
  });
}

function validateSeccomp(field: string, profile: SeccompProfile): FieldProblem[] {
  const { type, localhostProfile } = profile;
  const at = `${field}.localhostProfile`;
  const types = ['Localhost', 'RuntimeDefault', 'Unconfined'];
  const known = type
    ? requiredOneOf(`${field}.type`, type, types)
    : [required(`${field}.type`, 'type is required when seccompProfile is set')];
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return known;
    return [...known, invalid(at, profile, 'can only be set when seccomp type is Localhost')];
  }
  if (localhostProfile !== undefined) return [...known, ...descendingPath(at, localhostProfile)];
  return [...known, required(at, 'must be set when seccomp type is Localhost')];
}
