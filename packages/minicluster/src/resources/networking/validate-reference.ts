import { type FieldProblem, invalidFor, required } from '../validation/field-problem.ts';
import { dnsSubdomainFaults, pathSegmentFaults } from '../validation/names.ts';

interface Reference {
  /** Null when nobody said. */
  readonly apiGroup?: string | null;
  readonly kind: string;
  readonly name: string;
}

/** An object of any kind, in the namespace of the one that refers to it. */
export function validateReference(field: string, reference: Reference): FieldProblem[] {
  const { apiGroup, kind, name } = reference;
  return [
    ...(typeof apiGroup === 'string'
      ? invalidFor(`${field}.apiGroup`, apiGroup, dnsSubdomainFaults(apiGroup))
      : []),
    ...validateSegment(`${field}.kind`, kind),
    ...validateSegment(`${field}.name`, name),
  ];
}

/** Something that has to be there, and to fit into a path. */
export function validateSegment(field: string, text: string): FieldProblem[] {
  return text ? invalidFor(field, text, pathSegmentFaults(text)) : [required(field)];
}
