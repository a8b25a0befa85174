import { annotations, labels, NamespaceMap, ResourceSlice, type Tenant } from '@liqo/api';
import type { Client, Stored } from '@liqo/kube';
import type { Look } from './wait-until.ts';

interface At {
  readonly client: Client;
}

/** Whether all slices of a consumer are cordoned because its Tenant is, or none. */
export function lookAtCordon(isCordoned: boolean) {
  return async (
    { client }: At,
    { metadata }: Stored<Tenant>,
    signal: AbortSignal,
  ): Promise<Look<true>> => {
    const call = { namespace: metadata.namespace, labelSelector: copies, signal };
    const { items } = await client.list(ResourceSlice, call);
    const others = items.filter((slice) => isCordonedByTenant(slice) !== isCordoned);
    if (others.length === 0) return { done: true };
    const names = others.map((slice) => `"${slice.metadata.name}"`).join(', ');
    return { notYet: `the ResourceSlice ${names} is ${isCordoned ? 'not' : 'still'} cordoned` };
  };
}

/** Whether a consumer has nothing left after its Tenant was drained. */
export async function lookAtDrain(
  { client }: At,
  { metadata }: Stored<Tenant>,
  signal: AbortSignal,
): Promise<Look<true>> {
  const call = { namespace: metadata.namespace, labelSelector: copies, signal };
  const slices = (await client.list(ResourceSlice, call)).items;
  const maps = (await client.list(NamespaceMap, call)).items;
  const left = [...slices, ...maps].map((object) => `${object.kind} "${object.metadata.name}"`);
  return left.length === 0 ? { done: true } : { notYet: `there is still the ${left.join(', ')}` };
}

const copies = `${labels.replicated}=true`;

function isCordonedByTenant({ metadata }: ResourceSlice): boolean {
  return metadata?.annotations?.[annotations.cordonTenant] === 'true';
}
