import { parseQuantity } from '@liqo/kube';
import type { ResourceRequirements } from 'kubernetes-types/core/v1.d.ts';
import {
  type FieldProblem,
  forbidden,
  invalid,
  notFound,
  required,
} from '../validation/field-problem.ts';
import { isMore, quantityText, resourceQuantity } from '../validation/quantities.ts';
import {
  isHugePages,
  isOvercommitAllowed,
  validateContainerResourceName,
} from '../validation/resource-names.ts';

type Amounts = Readonly<Record<string, string>>;

/** What a container may use, and what it is sure to get. */
export function validateResources(
  field: string,
  { limits = {}, requests = {}, claims = [] }: ResourceRequirements,
  podClaims: readonly string[] = [],
): FieldProblem[] {
  const requestEntries = Object.entries(requests);
  return [
    ...validateAmounts(`${field}.limits`, limits),
    ...requestEntries.flatMap(([resource, amount]) => [
      ...validateAmount(`${field}.requests`, resource, amount),
      ...validateRequest(field, resource, amount, limits[resource]),
    ]),
    ...validateHugePages(field, [...Object.keys(limits), ...Object.keys(requests)]),
    ...claims.flatMap(({ name }, i) => validateClaim(`${field}.claims[${i}]`, name, podClaims)),
  ];
}

export function validateAmounts(field: string, amounts: Amounts): FieldProblem[] {
  const entries = Object.entries(amounts);
  return entries.flatMap(([resource, amount]) => validateAmount(field, resource, amount));
}

function validateAmount(field: string, resource: string, amount: string): FieldProblem[] {
  const at = `${field}[${resource}]`;
  return [
    ...validateContainerResourceName(at, resource),
    ...resourceQuantity(resource, at, amount),
    ...validatePages(at, resource, amount),
  ];
}

function validatePages(field: string, resource: string, amount: string): FieldProblem[] {
  if (!isHugePages(resource) || isWholePages(resource, amount)) return [];
  const text = quantityText(amount);
  return [invalid(field, text, `${text} is not positive integer multiple of ${resource}`)];
}

function isWholePages(resource: string, amount: string): boolean {
  try {
    const page = wholeUnits(resource.slice('hugepages-'.length));
    return page > 0n && wholeUnits(amount) % page === 0n;
  } catch {
    // The size of the page is not a quantity, so nothing is a multiple of it.
    return false;
  }
}

function wholeUnits(text: string): bigint {
  const { mantissa, scale } = parseQuantity(text);
  return scale >= 0 ? mantissa * 10n ** BigInt(scale) : mantissa / 10n ** BigInt(-scale);
}

function validateRequest(
  field: string,
  resource: string,
  amount: string,
  limit: string | undefined,
): FieldProblem[] {
  const flexible = isOvercommitAllowed(resource);
  if (limit === undefined) {
    const rule = 'Limit must be set for non overcommitable resources';
    return flexible ? [] : [required(`${field}.limits`, rule)];
  }
  const differs = isMore(amount, limit) || isMore(limit, amount);
  if (flexible ? !isMore(amount, limit) : !differs) return [];
  const relation = flexible ? 'less than or equal to' : 'equal to';
  const rule = `must be ${relation} ${resource} limit of ${quantityText(limit)}`;
  return [invalid(`${field}.requests`, quantityText(amount), rule)];
}

function validateHugePages(field: string, resources: readonly string[]): FieldProblem[] {
  const hasBasics = resources.includes('cpu') || resources.includes('memory');
  if (hasBasics || !resources.some(isHugePages)) return [];
  return [forbidden(field, 'HugePages require cpu or memory')];
}

function validateClaim(field: string, name: string, podClaims: readonly string[]): FieldProblem[] {
  if (!name) return [required(field)];
  if (podClaims.includes(name)) return [];
  const known = podClaims.length === 0 ? ' which is empty' : `: ${podClaims.toSorted().join(', ')}`;
  return [notFound(field, name, `must be one of the names in pod.spec.resourceClaims${known}`)];
}
