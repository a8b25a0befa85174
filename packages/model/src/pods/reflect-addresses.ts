import {
  findCondition,
  formatIpAddress,
  oneLine,
  parseIpAddress,
  removeCondition,
  setCondition,
} from '@liqo/kube';
import type { PodStatus } from './pod-status.ts';
import { type AddressPolicy, refuseRemoteAddress } from './remote-address.ts';

export interface AddressContext {
  /** Of the virtual node. */
  readonly nodeAddress: string;
  /** From an address of the provider to what reaches it from the consumer. */
  readonly translateAddress?: (address: string) => string;
  readonly addressPolicy: AddressPolicy;
  readonly now: string;
}

/** On a pod of the consumer: `False` while an address that the provider reports is not taken over, absent otherwise. */
const addressesAccepted = 'offloading.liqo.io/AddressesAccepted';

const maxShownBytes = 64;

/**
 * The status with the addresses of the provider's pod. A pod without an address is in no EndpointSlice and no proxy of the
 * API server leads to it; it is Running and Ready all the same.
 */
export function withAddresses(
  status: PodStatus,
  { podIP, podIPs }: PodStatus,
  context: AddressContext,
): PodStatus {
  const { nodeAddress, addressPolicy: policy, translateAddress = same, now } = context;
  const reported = [...new Set([podIP, ...(podIPs ?? []).map(({ ip }) => ip)])];
  const addresses = policy.isReflected
    ? reported.flatMap((one) => (one ? [translateAddress(one)] : []))
    : [];
  const accepted = addresses.filter((one) => refuseRemoteAddress(one, policy) === undefined);
  const refused = addresses.find((one) => !accepted.includes(one));
  return withRefusal(
    {
      ...status,
      hostIP: nodeAddress,
      hostIPs: [{ ip: nodeAddress }],
      ...asPodIPs(accepted),
    },
    refused === undefined ? undefined : messageAbout(refused, policy),
    now,
  );
}

/** Whether a pod was reflected with other ranges in mind: an address that is refused now, or one that was refused then. */
export function mayHaveOtherAddresses(
  { podIPs = [], conditions }: PodStatus,
  policy: AddressPolicy,
): boolean {
  const wasRefused = findCondition(conditions, addressesAccepted) !== undefined;
  return wasRefused || podIPs.some(({ ip }) => refuseRemoteAddress(ip ?? '', policy) !== undefined);
}

function same(address: string): string {
  return address;
}

/** One of each family, the first of them the main one: the API server denies every other status. */
function asPodIPs(accepted: readonly string[]): Pick<PodStatus, 'podIP' | 'podIPs'> {
  const parsed = accepted.flatMap((text) => parseIpAddress(text) ?? []);
  const chosen = parsed.filter(
    ({ family }, nth) => parsed.findIndex((one) => one.family === family) === nth,
  );
  const [first, ...others] = chosen.map(formatIpAddress);
  if (first === undefined) return {};
  return { podIP: first, podIPs: [first, ...others].map((ip) => ({ ip })) };
}

function messageAbout(address: string, policy: AddressPolicy): string {
  const shown = oneLine(address, maxShownBytes);
  return `The provider reports the address "${shown}", which is not taken over: ${refuseRemoteAddress(address, policy)}. Services of this cluster do not lead to the pod`;
}

function withRefusal(status: PodStatus, message: string | undefined, now: string): PodStatus {
  const { conditions = [] } = status;
  if (message === undefined) {
    if (!findCondition(conditions, addressesAccepted)) return status;
    return { ...status, conditions: removeCondition(conditions, addressesAccepted) };
  }
  const condition = { type: addressesAccepted, status: 'False' as const, reason: 'AddressRefused' };
  return { ...status, conditions: setCondition(conditions, { ...condition, message }, now) };
}
