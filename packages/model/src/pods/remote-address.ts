import { type IpRange, isInRange, parseIpAddress, reservedUseOf } from '@liqo/kube';

/**
 * Why an address that a provider reports for a pod is not taken over; undefined if it is. In the status of a pod, such an
 * address would lead the consumer's traffic to the consumer's own machines. `ownRanges` are those of the consumer: its
 * pods, Services and nodes.
 */
export function refuseRemoteAddress(
  text: string,
  ownRanges: readonly IpRange[],
): string | undefined {
  const address = parseIpAddress(text);
  if (!address) return 'it is not an IP address';
  const reserved = reservedUseOf(address);
  if (reserved) return `it is a ${reserved} address`;
  if (ownRanges.some((range) => isInRange(address, range))) {
    return 'it is in a range of pods, Services or nodes of the consumer';
  }
  return undefined;
}
