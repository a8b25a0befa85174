import type {
  PersistentVolumeClaimSpec,
  TypedLocalObjectReference,
  TypedObjectReference,
} from 'kubernetes-types/core/v1.d.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { roundResources } from '../pods/container-defaults.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../validation/names.ts';
import { positiveQuantity } from '../validation/quantities.ts';

/** The part that claims and the claim templates of other kinds have in common. */

export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): PersistentVolumeClaimSpec {
  const complete = fillIn(spec, { volumeMode: 'Filesystem', resources: {} });
  return changeIn(complete, 'resources', roundResources);
}

const accessModes: readonly string[] = [
  'ReadOnlyMany',
  'ReadWriteMany',
  'ReadWriteOnce',
  'ReadWriteOncePod',
];

export const volumeModes: readonly string[] = ['Block', 'Filesystem'];

export function validateClaimSpec(field: string, spec: PersistentVolumeClaimSpec): FieldProblem[] {
  const modes = spec.accessModes ?? [];
  const { storageClassName, volumeMode } = spec;
  return [
    ...(modes.length === 0
      ? [required(`${field}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...validateSelector(`${field}.selector`, spec.selector),
    ...validateAccessModes(`${field}.accessModes`, modes),
    ...validateSize(`${field}.resources[storage]`, spec.resources?.requests?.storage),
    ...className(`${field}.storageClassName`, storageClassName),
    ...(volumeMode ? oneOf(`${field}.volumeMode`, volumeMode, volumeModes) : []),
    ...validateDataSources(field, spec),
    ...className(`${field}.volumeAttributesClassName`, spec.volumeAttributesClassName),
  ];
}

export function validateAccessModes(field: string, modes: readonly string[]): FieldProblem[] {
  const unknown = modes.filter((mode) => !accessModes.includes(mode));
  const known = modes.filter((mode) => accessModes.includes(mode));
  const isMixed = known.includes('ReadWriteOncePod') && new Set(known).size > 1;
  return [
    ...unknown.map((mode) => notSupported(field, mode, accessModes)),
    ...(isMixed ? [forbidden(field, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

export function className(field: string, name: string | undefined): FieldProblem[] {
  return name ? invalidFor(field, name, dnsSubdomainFaults(name)) : [];
}

function validateSize(field: string, size: string | undefined): FieldProblem[] {
  return size === undefined ? [required(field)] : positiveQuantity(field, size);
}

function validateDataSources(field: string, spec: PersistentVolumeClaimSpec): FieldProblem[] {
  const { dataSource, dataSourceRef } = spec;
  const problems: FieldProblem[] = [];
  if (dataSource) problems.push(...validateDataSource(`${field}.dataSource`, dataSource));
  if (dataSourceRef) problems.push(...validateDataSource(`${field}.dataSourceRef`, dataSourceRef));
  const namespace = dataSourceRef?.namespace;
  if (namespace) {
    const faults = dnsLabelFaults(namespace);
    problems.push(...invalidFor(`${field}.dataSourceRef.namespace`, namespace, faults));
  }
  return problems;
}

function validateDataSource(
  field: string,
  source: TypedLocalObjectReference | TypedObjectReference,
): FieldProblem[] {
  const { name, kind, apiGroup } = source;
  const problems: FieldProblem[] = [];
  if (!name) problems.push(required(`${field}.name`));
  if (!kind) problems.push(required(`${field}.kind`));
  if (!apiGroup && kind !== 'PersistentVolumeClaim') {
    const rule = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
    problems.push(invalid(field, kind, rule));
  }
  if (!apiGroup) return problems;
  return [...problems, ...invalidFor(`${field}.apiGroup`, apiGroup, dnsSubdomainFaults(apiGroup))];
}
