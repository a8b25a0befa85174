import { ServiceCIDR, type Stored } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { cidr, isDualStackPair } from '../validation/addresses.ts';
import { type FieldProblem, invalid, required } from '../validation/field-problem.ts';
import { unchanged } from '../validation/immutable.ts';

/** Where cluster IPs come from unless said otherwise. */
export const defaultServiceCidr = '10.96.0.0/12';

export const serviceCidrs = defineResource<ServiceCIDR>({
  kind: ServiceCIDR,
  subresources: { status: partOf(ServiceCIDR) },
  columns: [
    nameColumn,
    textColumn('CIDRs', (object: ServiceCIDR) => rangesOf(object).join(',')),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    validate: (object: ServiceCIDR) => validateRanges(rangesOf(object)),
    validateUpdate: (next: ServiceCIDR, previous: Stored<ServiceCIDR>) =>
      validateChange(rangesOf(next), rangesOf(previous)),
  },
});

const field = 'spec.cidrs';

function rangesOf({ spec }: Pick<ServiceCIDR, 'spec'>): readonly string[] {
  return spec?.cidrs ?? [];
}

function validateRanges(ranges: readonly string[]): FieldProblem[] {
  if (ranges.length === 0) return [required(field, 'at least one CIDR required')];
  if (ranges.length > 2) return [invalid(field, { CIDRs: ranges }, 'may only hold up to 2 values')];
  const problems = ranges.flatMap((range, i) => cidr(`${field}[${i}]`, range));
  if (problems.length > 0 || ranges.length === 1 || isDualStackPair(ranges)) return problems;
  const rule =
    'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64';
  return [invalid(field, ranges, rule)];
}

/** A second range may be added, and nothing else changed. */
function validateChange(next: readonly string[], previous: readonly string[]): FieldProblem[] {
  const isAdded = previous.length === 1 && next.length === 2;
  if (next.length !== previous.length && !isAdded) return unchanged(field, next, previous);
  return previous.flatMap((range, i) => unchanged(`${field}[${i}]`, next[i], range));
}
