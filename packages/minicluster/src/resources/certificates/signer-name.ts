import { type FieldProblem, invalid, required } from '../validation/field-problem.ts';
import { dnsLabelFaults, dnsSubdomainFaults } from '../validation/names.ts';

/** `example.com/signer-name`. */
export function validateSignerName(field: string, name: string): FieldProblem[] {
  if (!name) return [required(field)];
  const [domain = '', path = '', ...more] = name.split('/');
  if (!name.includes('/') || more.length > 0) {
    const rule = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalid(field, name, rule)];
  }
  const rule = 'should be a domain with at least two segments separated by dots';
  return [
    ...firstFaulty(field, domain, dnsLabelFaults),
    ...(domain.includes('.') ? [] : [invalid(field, domain, rule)]),
    ...firstFaulty(field, path, dnsSubdomainFaults),
  ];
}

function firstFaulty(
  field: string,
  segment: string,
  faultsOf: (label: string) => readonly string[],
): FieldProblem[] {
  const label = segment.split('.').find((one) => faultsOf(one).length > 0);
  if (label === undefined) return [];
  return faultsOf(label).map((fault) =>
    invalid(field, segment, `validating label ${JSON.stringify(label)}: ${fault}`),
  );
}
