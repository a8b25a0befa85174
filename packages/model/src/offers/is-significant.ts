import { parseQuantity, quantityMilliValue, type ResourceList } from '@liqo/kube';

/**
 * Whether an offer has changed by more than a percentage of any resource since it was sent. A resource that comes or goes is a
 * change of any size.
 */
export function isSignificant(
  sent: ResourceList,
  now: ResourceList,
  thresholdPercentage: number,
): boolean {
  const before = readMilli(sent);
  const after = readMilli(now);
  if (before.size !== after.size) return true;
  return [...after].some(([name, amount]) => {
    const old = before.get(name);
    if (old === undefined) return true;
    const distance = amount > old ? amount - old : old - amount;
    return distance * 100n > old * BigInt(thresholdPercentage);
  });
}

function readMilli(list: ResourceList): ReadonlyMap<string, bigint> {
  const entries = Object.entries(list);
  return new Map(entries.map(([name, text]) => [name, quantityMilliValue(parseQuantity(text))]));
}
