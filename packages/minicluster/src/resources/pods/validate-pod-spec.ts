import type {
  PodDNSConfig,
  PodSpec,
  TopologySpreadConstraint,
} from 'kubernetes-types/core/v1.d.ts';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { ipAddress } from '../validation/addresses.ts';
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
import { validateLabels, validateSelector } from '../validation/labels.ts';
import {
  dnsLabelFaults,
  dnsSubdomainFaults,
  qualifiedNameFaults,
  underscoredSubdomainFaults,
} from '../validation/names.ts';
import { inRange } from '../validation/numbers.ts';
import {
  validateContainers,
  validateEphemeralContainers,
  validateInitContainers,
} from './validate-containers.ts';
import { validateHostNetwork } from './validate-ports.ts';
import { validateAmounts } from './validate-resources.ts';
import { validateAffinity, validateLabelKeys } from './validate-scheduling.ts';
import { validatePodSecurity } from './validate-security.ts';
import { validateTolerations } from './validate-tolerations.ts';
import { validateVolumes } from './validate-volumes.ts';

/** `podMeta` is that of a pod, and undefined for a template. */
export function validatePodSpec(
  field: string,
  spec: PodSpec,
  podMeta: ObjectMeta | undefined,
): FieldProblem[] {
  const { problems, valid } = validateVolumes(`${field}.volumes`, spec.volumes ?? [], podMeta);
  const around = { spec, volumes: valid };
  return [
    ...problems,
    ...validateContainers(`${field}.containers`, around),
    ...validateInitContainers(`${field}.initContainers`, around),
    ...validateEphemeralContainers(`${field}.ephemeralContainers`, around),
    ...validateHostNetwork(field, spec, podMeta !== undefined),
    ...validatePolicies(field, spec),
    ...validateLabels(`${field}.nodeSelector`, spec.nodeSelector),
    ...validatePodSecurity(`${field}.securityContext`, spec),
    ...(spec.affinity ? validateAffinity(`${field}.affinity`, spec.affinity) : []),
    ...validateDns(`${field}.dnsConfig`, spec.dnsConfig, spec.dnsPolicy),
    ...validateGates(field, spec),
    ...validateSpread(`${field}.topologySpreadConstraints`, spec.topologySpreadConstraints ?? []),
    ...validateHostUsers(field, spec),
    ...validateNames(field, spec),
    ...validateTolerations(`${field}.tolerations`, spec.tolerations ?? []),
    ...validateHostAliases(`${field}.hostAliases`, spec.hostAliases ?? []),
    ...validateRest(field, spec),
  ];
}

const restartPolicies: readonly string[] = ['Always', 'OnFailure', 'Never'];
const dnsPolicies: readonly string[] = [
  'ClusterFirstWithHostNet',
  'ClusterFirst',
  'Default',
  'None',
];

function validatePolicies(field: string, spec: PodSpec): FieldProblem[] {
  return [
    ...requiredOneOf(`${field}.restartPolicy`, spec.restartPolicy, restartPolicies),
    ...requiredOneOf(`${field}.dnsPolicy`, spec.dnsPolicy, dnsPolicies),
  ];
}

function validateDns(
  field: string,
  config: PodDNSConfig | undefined,
  policy: string | undefined,
): FieldProblem[] {
  const nameservers = config?.nameservers ?? [];
  if (policy === 'None' && !config) {
    return [required(field, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  }
  if (policy === 'None' && nameservers.length === 0) {
    const rule = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [required(`${field}.nameservers`, rule)];
  }
  return config ? validateDnsConfig(field, config) : [];
}

function validateDnsConfig(field: string, config: PodDNSConfig): FieldProblem[] {
  const { nameservers = [], searches = [], options = [] } = config;
  const problems: FieldProblem[] = [];
  if (nameservers.length > 3) {
    const rule = 'must not have more than 3 nameservers';
    problems.push(invalid(`${field}.nameservers`, nameservers, rule));
  }
  problems.push(...nameservers.flatMap((one, i) => ipAddress(`${field}.nameservers[${i}]`, one)));
  if (searches.length > 32) {
    problems.push(
      invalid(`${field}.searches`, searches, 'must not have more than 32 search paths'),
    );
  }
  for (const [i, search] of searches.entries()) {
    const domain = search.replace(/\.$/, '');
    const faults = search === '.' ? [] : underscoredSubdomainFaults(domain);
    problems.push(...invalidFor(`${field}.searches[${i}]`, domain, faults));
  }
  for (const [i, { name }] of options.entries()) {
    if (!name) problems.push(required(`${field}.options[${i}]`, 'must not be empty'));
  }
  return problems;
}

function validateGates(field: string, spec: PodSpec): FieldProblem[] {
  const readiness = spec.readinessGates ?? [];
  const scheduling = (spec.schedulingGates ?? []).map(({ name }) => name);
  return [
    ...readiness.flatMap(({ conditionType }, i) => {
      const at = `${field}.readinessGates[${i}].conditionType`;
      return invalidFor(at, conditionType, qualifiedNameFaults(conditionType));
    }),
    ...scheduling.flatMap((name, i) => {
      const at = `${field}.schedulingGates[${i}]`;
      const isRepeated = scheduling.indexOf(name) < i;
      return [
        ...invalidFor(at, name, qualifiedNameFaults(name)),
        ...(isRepeated ? [duplicate(at, name)] : []),
      ];
    }),
  ];
}

function validateSpread(
  field: string,
  constraints: readonly TopologySpreadConstraint[],
): FieldProblem[] {
  return constraints.flatMap((constraint, i) => {
    const at = `${field}[${i}]`;
    const { topologyKey, whenUnsatisfiable, maxSkew } = constraint;
    const isRepeated = constraints.slice(i + 1).some((later) => {
      return later.topologyKey === topologyKey && later.whenUnsatisfiable === whenUnsatisfiable;
    });
    const pair = `{${topologyKey}, ${whenUnsatisfiable}}`;
    return [
      ...(maxSkew > 0 ? [] : [invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero')]),
      ...(topologyKey ? [] : [required(`${at}.topologyKey`, 'can not be empty')]),
      ...oneOf(`${at}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
      ...(isRepeated ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, pair)] : []),
      ...validateMinDomains(`${at}.minDomains`, constraint),
      ...validateLabelKeys(`${at}.matchLabelKeys`, constraint.matchLabelKeys, constraint),
      ...validateSelector(`${at}.labelSelector`, constraint.labelSelector),
    ];
  });
}

function validateMinDomains(
  field: string,
  { minDomains, whenUnsatisfiable }: TopologySpreadConstraint,
): FieldProblem[] {
  if (minDomains === undefined) return [];
  const problems: FieldProblem[] = [];
  if (minDomains <= 0) problems.push(invalid(field, minDomains, 'must be greater than zero'));
  if (whenUnsatisfiable !== 'DoNotSchedule') {
    const rule = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
    problems.push(invalid(field, minDomains, rule));
  }
  return problems;
}

function validateNames(field: string, spec: PodSpec): FieldProblem[] {
  const { serviceAccountName, nodeName, activeDeadlineSeconds, hostname, subdomain } = spec;
  const named = (key: string, name: string | undefined, check = dnsSubdomainFaults) =>
    name ? invalidFor(`${field}.${key}`, name, check(name)) : [];
  return [
    ...named('serviceAccountName', serviceAccountName),
    ...named('nodeName', nodeName),
    ...(activeDeadlineSeconds === undefined
      ? []
      : inRange(`${field}.activeDeadlineSeconds`, activeDeadlineSeconds, 1, 2 ** 31 - 1)),
    ...named('hostname', hostname, dnsLabelFaults),
    ...named('subdomain', subdomain, dnsLabelFaults),
  ];
}

function validateHostAliases(
  field: string,
  aliases: NonNullable<PodSpec['hostAliases']>,
): FieldProblem[] {
  return aliases.flatMap(({ ip = '', hostnames = [] }, i) => [
    ...ipAddress(`${field}[${i}].ip`, ip),
    ...hostnames.flatMap((name, j) =>
      invalidFor(`${field}[${i}].hostnames[${j}]`, name, dnsSubdomainFaults(name)),
    ),
  ]);
}

function validateRest(field: string, spec: PodSpec): FieldProblem[] {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead, os } = spec;
  const named = (key: string, name: string | undefined) =>
    name === undefined ? [] : invalidFor(`${field}.${key}`, name, dnsSubdomainFaults(name));
  return [
    ...named('priorityClassName', priorityClassName),
    ...named('runtimeClassName', runtimeClassName),
    ...validatePreemption(`${field}.preemptionPolicy`, preemptionPolicy),
    ...(overhead ? validateAmounts(`${field}.overhead.limits`, overhead) : []),
    ...(os ? validateOs(`${field}.os`, os.name) : []),
  ];
}

export function validatePreemption(field: string, policy: string | undefined): FieldProblem[] {
  return policy === undefined
    ? []
    : requiredOneOf(field, policy, ['PreemptLowerPriority', 'Never']);
}

function validateOs(field: string, name: string): FieldProblem[] {
  return name ? oneOf(field, name, ['linux', 'windows']) : [required(`${field}.name`)];
}

/** Users of their own exclude the namespaces of the node. */
function validateHostUsers(field: string, spec: PodSpec): FieldProblem[] {
  if (spec.hostUsers !== false) return [];
  const rule = 'when `hostUsers` is false';
  return [
    ...(spec.hostNetwork ? [forbidden(`${field}.hostNetwork`, rule)] : []),
    ...(spec.hostPID ? [forbidden(`${field}.HostPID`, rule)] : []),
    ...(spec.hostIPC ? [forbidden(`${field}.HostIPC`, rule)] : []),
  ];
}
