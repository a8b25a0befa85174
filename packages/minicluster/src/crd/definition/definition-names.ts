import type { CustomResourceDefinitionNames } from 'kubernetes-types/apiextensions/v1.d.ts';
import { invalid, required } from '../../resources/validation/field-problem.ts';
import { rfc1035LabelFaults } from '../../resources/validation/names.ts';
import type { FieldProblem } from '../../rest/refusal.ts';

type Names = CustomResourceDefinitionNames;

export function validateRequiredNames(field: string, names: Names): FieldProblem[] {
  const parts = ['plural', 'singular', 'kind', 'listKind'] as const;
  return parts.filter((part) => !names[part]).map((part) => required(`${field}.${part}`));
}

export function validateNames(field: string, names: Names): FieldProblem[] {
  const { plural, singular, kind, listKind, shortNames = [], categories = [] } = names;
  const isSame = kind !== '' && kind === listKind;
  return [
    ...validateLabel(`${field}.plural`, plural),
    ...validateLabel(`${field}.singular`, singular),
    ...validateKind(`${field}.kind`, kind),
    ...validateKind(`${field}.listKind`, listKind),
    ...shortNames.flatMap((name, i) => validateLabel(`${field}.shortNames[${i}]`, name)),
    ...(isSame
      ? [invalid(`${field}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...categories.flatMap((name, i) => validateLabel(`${field}.categories[${i}]`, name)),
  ];
}

export function validateLabel(field: string, name: string | undefined): FieldProblem[] {
  const faults = name ? rfc1035LabelFaults(name) : [];
  return faults.length > 0 ? [invalid(field, name, faults.join(','))] : [];
}

function validateKind(field: string, name: string | undefined): FieldProblem[] {
  const faults = name ? rfc1035LabelFaults(name.toLowerCase()) : [];
  if (faults.length === 0) return [];
  const rule = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [invalid(field, name, rule)];
}
