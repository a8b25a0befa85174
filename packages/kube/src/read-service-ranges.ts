import { isNotFound } from './api-error.ts';
import type { Client } from './client.ts';
import { type IpRange, parseIpRange, rangeOfAddress } from './ip-address.ts';
import { Service } from './kinds/core.ts';
import { ServiceCIDR } from './kinds/networking.ts';

/** The Service of the API server, in every cluster. */
const apiServer = { namespace: 'default', name: 'kubernetes' };

/**
 * The ranges of the Services of a cluster. One older than Kubernetes 1.33 does not tell them: there, they are the cluster
 * IPs of its API server.
 */
export async function readServiceRanges(
  client: Client,
  signal: AbortSignal,
): Promise<readonly IpRange[]> {
  const items = await listServiceCIDRs(client, signal);
  const ranges = items.flatMap(({ spec }) => spec?.cidrs ?? []);
  if (ranges.length > 0) return ranges.flatMap((text) => parseIpRange(text) ?? []);
  const service = await client.get(Service, apiServer, signal);
  return [service?.spec?.clusterIP ?? '', ...(service?.spec?.clusterIPs ?? [])].flatMap(
    (text) => rangeOfAddress(text) ?? [],
  );
}

async function listServiceCIDRs(
  client: Client,
  signal: AbortSignal,
): Promise<readonly ServiceCIDR[]> {
  try {
    return (await client.list(ServiceCIDR, { signal })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
