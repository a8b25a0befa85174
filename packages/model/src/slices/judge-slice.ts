import { labels, type ResourceSlice, type Tenant } from '@liqo/api';
import { findCondition, type Stored } from '@liqo/kube';
import { sliceCondition } from './slice-condition.ts';

/** What is known about the consumer of a slice. */
export interface SliceFacts {
  readonly ownClusterID: string;
  /** Why the slice is not in the tenant namespace of its consumer. */
  readonly misplaced: string | undefined;
  /** That of the consumer, in the same namespace. */
  readonly tenant: Stored<Tenant> | undefined;
  /** Whether the consumer has proved to hold the key of the Tenant. */
  readonly isKeyProved: boolean;
  /** How many slices of the consumer are older. */
  readonly older: number;
  readonly mostSlices: number;
}

export type SliceVerdict =
  /** `publicKey` is the only one that a certificate may be for; undefined if any will do. */
  | { readonly type: 'issue'; readonly publicKey: string | undefined }
  | { readonly type: 'refuse'; readonly message: string }
  /** The consumer or the Tenant is not done yet. */
  | { readonly type: 'wait' };

/** The consumer of a slice that a peer has sent. */
export function consumerOf({ metadata }: ResourceSlice): string {
  return metadata?.labels?.[labels.replicationOrigin] ?? '';
}

/** Whether the identity that a slice asks for may be issued. The request itself is judged when it is signed. */
export function judgeSlice(slice: Stored<ResourceSlice>, facts: SliceFacts): SliceVerdict {
  const message = refusalOf(slice, facts);
  if (message !== undefined) return { type: 'refuse', message };
  const { tenant, isKeyProved } = facts;
  if (!slice.spec?.csr || !tenant) return { type: 'wait' };
  const { authzPolicy, publicKey } = tenant.spec;
  if (authzPolicy === 'TolerateNoHandshake') return { type: 'issue', publicKey: undefined };
  return isKeyProved ? { type: 'issue', publicKey } : { type: 'wait' };
}

function refusalOf(slice: Stored<ResourceSlice>, facts: SliceFacts): string | undefined {
  const { ownClusterID, misplaced, tenant, older, mostSlices } = facts;
  const consumer = consumerOf(slice);
  const { consumerClusterID = consumer, providerClusterID = ownClusterID } = slice.spec ?? {};
  if (consumerClusterID !== consumer) {
    return `spec.consumerClusterID is "${consumerClusterID}", and the slice comes from "${consumer}"`;
  }
  if (providerClusterID !== ownClusterID) {
    return `spec.providerClusterID is "${providerClusterID}", and this cluster is "${ownClusterID}"`;
  }
  if (misplaced !== undefined) return misplaced;
  if (!tenant || tenant.metadata.deletionTimestamp !== undefined) {
    return `there is no Tenant of "${consumer}" in its namespace`;
  }
  if (tenant.spec.tenantCondition === 'Drained') return `the Tenant of "${consumer}" is drained`;
  return older >= mostSlices ? tooMany(mostSlices) : undefined;
}

function tooMany(mostSlices: number): string {
  return `the provider accepts at most ${mostSlices} slices of a consumer`;
}

/** Of the slices that were refused because there are too many, the one that is accepted when another one goes. */
export function nextSlice(
  slices: readonly Stored<ResourceSlice>[],
  mostSlices: number,
): Stored<ResourceSlice> | undefined {
  const { message } = sliceCondition('Authentication', 'Denied', tooMany(mostSlices));
  const [oldest] = slices
    .filter(
      ({ status }) => findCondition(status?.conditions, 'Authentication')?.message === message,
    )
    .toSorted((one, other) => (sliceAge(one) < sliceAge(other) ? -1 : 1));
  return oldest;
}

/** Sorts slices by age. */
export function sliceAge({ metadata }: Stored<ResourceSlice>): string {
  return `${metadata.creationTimestamp} ${metadata.name}`;
}
