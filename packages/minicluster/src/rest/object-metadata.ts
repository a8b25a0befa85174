import type { KubeObject } from '@liqo/kube';
import type { ObjectMeta, OwnerReference } from 'kubernetes-types/meta/v1.d.ts';
import {
  dnsSubdomainFaults,
  labelValueFaults,
  qualifiedNameFaults,
} from '../resources/validation/names.ts';
import type { Item } from '../store/collection.ts';
import type { FieldProblem } from './refusal.ts';
import type { Resource } from './resource.ts';

const maxAnnotationsBytes = 256 * 1024;
const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** What is wrong with the metadata of any object. */
export function validateMetadata(resource: Resource, object: KubeObject): FieldProblem[] {
  return [...generalProblems(resource, object), ...domainProblems(resource, object)];
}

/** What every kind objects to. */
function generalProblems(resource: Resource, { metadata = {} }: KubeObject): FieldProblem[] {
  return [
    ...nameProblems(resource, metadata),
    ...labelProblems('metadata.labels', metadata.labels ?? {}),
    ...annotationProblems(metadata.annotations ?? {}),
    ...ownerProblems(metadata.ownerReferences ?? []),
    ...finalizerProblems(metadata.finalizers ?? []),
  ];
}

/** What an update may not do to it. */
export function validateMetadataUpdate(
  resource: Resource,
  next: KubeObject,
  previous: Item,
): FieldProblem[] {
  const metadata = next.metadata ?? {};
  const problems = generalProblems(resource, next);
  const immutable = ['name', 'namespace', 'uid', 'creationTimestamp'] as const;
  for (const field of immutable) {
    if (metadata[field] === previous.metadata[field]) continue;
    problems.push(invalidValue(`metadata.${field}`, metadata[field] ?? '', 'field is immutable'));
  }
  return [
    ...problems,
    ...addedFinalizerProblems(metadata, previous.metadata),
    ...domainProblems(resource, next),
  ];
}

/** Once deletion has begun, finalizers only leave. */
function addedFinalizerProblems(next: ObjectMeta, previous: ObjectMeta): FieldProblem[] {
  if (!previous.deletionTimestamp) return [];
  const before = new Set(previous.finalizers ?? []);
  const added = (next.finalizers ?? []).filter((finalizer) => !before.has(finalizer));
  if (added.length === 0) return [];
  const list = added.map((finalizer) => `"${finalizer}"`).join(', ');
  const message = `Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
  return [{ field: 'metadata.finalizers', reason: 'FieldValueForbidden', message }];
}

function nameProblems(resource: Resource, { name, generateName }: ObjectMeta): FieldProblem[] {
  const check = resource.strategy.validateName ?? dnsSubdomainFaults;
  const problems: FieldProblem[] = [];
  if (generateName) {
    const asName = `${generateName.replace(/-+$/, '')}a`;
    for (const problem of check(asName, true)) {
      problems.push(invalidValue('metadata.generateName', generateName, problem));
    }
  }
  if (!name) {
    const message = 'Required value: name or generateName is required';
    return [...problems, { field: 'metadata.name', reason: 'FieldValueRequired', message }];
  }
  for (const problem of check(name, false)) {
    problems.push(invalidValue('metadata.name', name, problem));
  }
  return problems;
}

function labelProblems(field: string, labels: Readonly<Record<string, string>>): FieldProblem[] {
  const problemsOf = (key: string) => {
    const value = labels[key] ?? '';
    return [
      ...qualifiedNameFaults(key).map((problem) => invalidValue(field, key, problem)),
      ...labelValueFaults(value).map((problem) => invalidValue(field, value, problem)),
    ];
  };
  const faulty = Object.keys(labels).filter((key) => problemsOf(key).length > 0);
  return faulty.sort().flatMap(problemsOf);
}

function annotationProblems(annotations: Readonly<Record<string, string>>): FieldProblem[] {
  const field = 'metadata.annotations';
  const problemsOf = (key: string) =>
    qualifiedNameFaults(key.toLowerCase()).map((problem) => invalidValue(field, key, problem));
  const faulty = Object.keys(annotations).filter((key) => problemsOf(key).length > 0);
  const problems = faulty.sort().flatMap(problemsOf);
  const bytes = Object.entries(annotations).reduce((sum, [k, v]) => sum + k.length + v.length, 0);
  if (bytes <= maxAnnotationsBytes) return problems;
  const message = `Too long: may not be more than ${maxAnnotationsBytes} bytes`;
  return [...problems, { field, reason: 'FieldValueTooLong', message }];
}

function ownerProblems(owners: readonly OwnerReference[]): FieldProblem[] {
  const problems = owners.flatMap((owner) => [
    ...(owner.apiVersion ? [] : [emptyOwnerField('apiVersion', 'version must not be empty')]),
    ...(owner.kind ? [] : [emptyOwnerField('kind', 'must not be empty')]),
    ...(owner.name ? [] : [emptyOwnerField('name', 'must not be empty')]),
    ...(owner.uid ? [] : [emptyOwnerField('uid', 'must not be empty')]),
  ]);
  const controllers = owners.filter((owner) => owner.controller);
  const [first, second] = controllers;
  if (!first || !second) return problems;
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${first.kind}/${first.name} and ${second.kind}/${second.name}`;
  return [...problems, invalidValue('metadata.ownerReferences', owners, why)];
}

function emptyOwnerField(field: string, problem: string): FieldProblem {
  return invalidValue(`metadata.ownerReferences.${field}`, '', problem);
}

/** Kinds of these groups take any finalizer that is a qualified name, as custom resources do. */
const lenientGroups = [
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'coordination.k8s.io',
];

function insistsOnDomains({ custom, group }: Resource): boolean {
  return !custom && !lenientGroups.includes(group);
}

/** What is told, not refused, of the finalizers that a write adds to a custom resource. */
export function finalizerWarnings(next: KubeObject, previous: KubeObject | undefined): string[] {
  const before = new Set(previous?.metadata?.finalizers ?? []);
  const added = new Set(next.metadata?.finalizers ?? []);
  return [...added]
    .filter((one) => !before.has(one) && !isDomainFinalizer(one))
    .toSorted()
    .map(
      (one) =>
        `metadata.finalizers: "${one}": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

function isDomainFinalizer(finalizer: string): boolean {
  return finalizer.includes('/') || standardFinalizers.includes(finalizer);
}

function finalizerProblems(finalizers: readonly string[]): FieldProblem[] {
  return finalizers.flatMap((finalizer, index) =>
    qualifiedNameFaults(finalizer).map((problem) =>
      invalidValue(`metadata.finalizers[${index}]`, finalizer, problem),
    ),
  );
}

/** What most built-in kinds object to besides: a finalizer without a domain that is none of Kubernetes' own. */
function domainProblems(resource: Resource, { metadata }: KubeObject): FieldProblem[] {
  if (!insistsOnDomains(resource)) return [];
  return (metadata?.finalizers ?? []).flatMap((finalizer, index) => {
    if (isDomainFinalizer(finalizer) || qualifiedNameFaults(finalizer).length > 0) return [];
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [invalidValue(`metadata.finalizers[${index}]`, finalizer, why)];
  });
}

export function invalidValue(field: string, value: unknown, why: string): FieldProblem {
  return {
    field,
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${why}`,
  };
}
