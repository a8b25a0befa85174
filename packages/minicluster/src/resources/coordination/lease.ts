import { Lease } from '@liqo/kube';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { ageColumn, textColumn } from '../printing/columns.ts';
import { type FieldProblem, invalid } from '../validation/field-problem.ts';

export const leases = defineResource<Lease>({
  kind: Lease,
  columns: [
    nameColumn,
    textColumn('Holder', ({ spec }: Lease) => spec?.holderIdentity ?? ''),
    ageColumn,
  ],
  strategy: {
    generation: 'none',
    onCreate: withoutStrategy,
    onUpdate: withoutStrategy,
    validate: validateLease,
    createsOnUpdate: true,
    requiresVersion: true,
  },
});

/** Elections that the server coordinates are off by default, and so are their fields. */
function withoutStrategy(lease: Lease): Lease {
  if (!lease.spec) return lease;
  const { strategy: _, preferredHolder: __, ...spec } = lease.spec as Record<string, unknown>;
  return { ...lease, spec };
}

function validateLease({ spec = {} }: Lease): FieldProblem[] {
  const { leaseDurationSeconds, leaseTransitions } = spec;
  const problems: FieldProblem[] = [];
  if (leaseDurationSeconds !== undefined && leaseDurationSeconds <= 0) {
    const field = 'spec.leaseDurationSeconds';
    problems.push(invalid(field, leaseDurationSeconds, 'must be greater than 0'));
  }
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    const rule = 'must be greater than or equal to 0';
    problems.push(invalid('spec.leaseTransitions', leaseTransitions, rule));
  }
  return problems;
}
