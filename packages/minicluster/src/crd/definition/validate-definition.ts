import type { CustomResourceDefinition } from '@liqo/kube';
import type { CustomResourceDefinitionSpec } from 'kubernetes-types/apiextensions/v1.d.ts';
import { invalid, required, requiredOneOf } from '../../resources/validation/field-problem.ts';
import { unchanged } from '../../resources/validation/immutable.ts';
import { dnsSubdomainFaults } from '../../resources/validation/names.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { isEstablished } from '../plan-definition.ts';
import { validateNames, validateRequiredNames } from './definition-names.ts';
import { validateVersions } from './definition-versions.ts';

type Crd = CustomResourceDefinition;

/** What a CustomResourceDefinition must be like to be taken: its names, its versions, their schemas. */
export function validateDefinition(crd: Crd): FieldProblem[] {
  const { metadata, spec, status } = crd;
  const name = metadata?.name ?? '';
  const isNamed = name === `${spec.names.plural}.${spec.group}`;
  return [
    ...(isNamed
      ? []
      : [invalid('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]),
    ...validateSpec(spec),
    ...validateStoredVersions(status?.storedVersions ?? [], spec),
    ...validateApproval(crd),
    ...validatePreservation(spec),
  ];
}

/** Besides what `validateDefinition` asks for: objects are stored under these names. */
export function validateDefinitionUpdate({ spec }: Crd, previous: Crd): FieldProblem[] {
  const old = previous.spec;
  const kept = isEstablished(previous)
    ? [
        ...unchanged('spec.scope', spec.scope, old.scope),
        ...unchanged('spec.names.kind', spec.names.kind, old.names.kind),
      ]
    : [];
  return [
    ...kept,
    ...unchanged('spec.group', spec.group, old.group),
    ...unchanged('spec.names.plural', spec.names.plural, old.names.plural),
  ];
}

function validateSpec(spec: CustomResourceDefinitionSpec): FieldProblem[] {
  return [
    ...validateGroup(spec.group),
    ...requiredOneOf('spec.scope', spec.scope, ['Cluster', 'Namespaced']),
    ...validateVersions(spec.versions ?? []),
    ...validateRequiredNames('spec.names', spec.names),
    ...validateNames('spec.names', spec.names),
    ...validateConversion(spec),
  ];
}

function validateGroup(group: string): FieldProblem[] {
  if (!group) return [required('spec.group')];
  const faults = dnsSubdomainFaults(group);
  if (faults.length > 0) return [invalid('spec.group', group, faults.join(','))];
  if (group.includes('.')) return [];
  return [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

function validateConversion({ conversion }: CustomResourceDefinitionSpec): FieldProblem[] {
  if (!conversion) return [];
  const { strategy, webhook } = conversion;
  const field = 'spec.conversion';
  const known = requiredOneOf(`${field}.strategy`, strategy, ['None', 'Webhook']);
  if (strategy !== 'Webhook') return known;
  const config = 'required when strategy is set to Webhook';
  const hasVersions = (webhook?.conversionReviewVersions ?? []).length > 0;
  return [
    ...known,
    ...(webhook?.clientConfig ? [] : [required(`${field}.webhookClientConfig`, config)]),
    ...(hasVersions ? [] : [required(`${field}.conversionReviewVersions`)]),
  ];
}

function validateStoredVersions(
  stored: readonly string[],
  { versions = [] }: CustomResourceDefinitionSpec,
): FieldProblem[] {
  const field = 'status.storedVersions';
  if (stored.length === 0) return [invalid(field, null, 'must have at least one stored version')];
  const unstored = versions.filter(({ storage, name }) => storage && !stored.includes(name));
  return [
    ...unstored.map(({ name }) => invalid(field, stored, `must have the storage version ${name}`)),
    ...stored.flatMap((version, i) => {
      if (versions.some(({ name }) => name === version)) return [];
      const fault = `missing from spec.versions; ${version} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${version} and removes ${version} from status.storedVersions`;
      return [invalid(`${field}[${i}]`, version, fault)];
    }),
  ];
}

const approval = 'api-approved.kubernetes.io';

/** Groups of the Kubernetes project are open to those who say where they were approved. */
function validateApproval({ metadata, spec }: Crd): FieldProblem[] {
  const isProtected = /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(spec.group ?? '');
  if (!isProtected || metadata?.annotations?.[approval]) return [];
  const rule = `protected groups must have approval annotation "${approval}", see https://github.com/kubernetes/enhancements/pull/1111`;
  return [required(`metadata.annotations[${approval}]`, rule)];
}

function validatePreservation({
  preserveUnknownFields,
}: CustomResourceDefinitionSpec): FieldProblem[] {
  if (!preserveUnknownFields) return [];
  const rule =
    'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, rule)];
}
