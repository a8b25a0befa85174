import {
  embeddedIpv4,
  type IpAddress,
  type IpRangeSet,
  parseIpAddress,
  reservedUseOf,
} from '@liqo/kube';

/** Which addresses of the provider's pods the consumer takes over. */
export interface AddressPolicy {
  /** False where no address is taken over, whatever it is. */
  readonly isReflected: boolean;
  /** Of the pods, Services and Nodes of the consumer. */
  readonly own: IpRangeSet;
  /** Taken over although they are in `own`: the installation knows that the provider's pods have them. */
  readonly exempt: IpRangeSet;
}

/**
 * Why an address that a provider reports for a pod is not taken over; undefined if it is. In the status of a pod, such an
 * address would lead the consumer's traffic to the consumer's own machines.
 */
export function refuseRemoteAddress(text: string, policy: AddressPolicy): string | undefined {
  const address = parseIpAddress(text);
  if (!address) return 'it is not an IP address';
  const reserved = reservedUseOf(address);
  if (reserved) return `it is a ${reserved} address`;
  const isOwn = [address, embeddedIpv4(address)].some((one) => one && isOwnAddress(one, policy));
  return isOwn ? 'it is in a range of pods, Services or Nodes of this cluster' : undefined;
}

function isOwnAddress(address: IpAddress, { own, exempt }: AddressPolicy): boolean {
  return own.has(address) && !exempt.has(address);
}
