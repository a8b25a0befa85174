import { parseQuantity } from './parse-quantity.ts';
import { compareQuantities, quantityOf, quantityValue } from './quantity.ts';
import type { ResourceList } from './resource-list.ts';

/** Resources that come in fractions. Quotas also know them as `requests.cpu` and `limits.cpu`. */
export const measuredResources = ['cpu', 'memory', 'storage', 'ephemeral-storage'] as const;

/** Huge pages of each size are a resource of their own: `hugepages-2Mi`. */
export const hugePagesPrefix = 'hugepages-';

/** Under which a quota knows the same resources again. */
export const quotaPrefixes = ['requests.', 'limits.'] as const;

/** Whether a resource comes in whole units only: `pods`, and extended resources such as `nvidia.com/gpu`. */
export function isCountedResource(name: string): boolean {
  const prefix = quotaPrefixes.find((one) => name.startsWith(one)) ?? '';
  const bare = name.slice(prefix.length);
  return !measuredResources.some((one) => one === bare) && !bare.startsWith(hugePagesPrefix);
}

/** Whether a quantity is a whole number, in whatever notation: `2`, `1k` and `1.5k` are, `1500m` is not. */
export function isWholeQuantity(text: string | number): boolean {
  const quantity = parseQuantity(text);
  return compareQuantities(quantity, quantityOf(quantityValue(quantity))) === 0;
}

/** The counted resources, in order, whose amounts are not whole numbers. No node can have such a capacity. */
export function fractionalCounts(resources: ResourceList): string[] {
  return Object.entries(resources)
    .filter(([name, amount]) => isCountedResource(name) && !isWholeQuantity(amount))
    .map(([name]) => name)
    .sort();
}
