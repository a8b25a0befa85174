import { annotations, labels, type Quota, ResourceSlice } from '@liqo/api';
import {
  apiVersionOf,
  deepEqual,
  diffMergePatch,
  findCondition,
  isJsonObject,
  type Json,
  type Stored,
} from '@liqo/kube';
import { ownerReference } from '../authentication/owner-reference.ts';
import { quotaName } from '../authentication/subjects.ts';
import { consumerOf } from './judge-slice.ts';

type QuotaSpec = Quota['spec'];

export type QuotaStep =
  | { readonly type: 'create'; readonly quota: Quota }
  | { readonly type: 'patch'; readonly change: Json }
  | { readonly type: 'leave' }
  /** A Quota of that name belongs to something else. */
  | { readonly type: 'taken' };

/**
 * The next step towards the Quota of a slice. A slice that is denied keeps its Quota, cordoned: its pods are still accounted for
 * and go on, and no new one is created. (Liqo v1.2 leaves it as it was, open for new pods.)
 */
export function planQuota(
  slice: Stored<ResourceSlice>,
  existing: Stored<Quota> | undefined,
  limitsEnforcement: NonNullable<QuotaSpec['limitsEnforcement']>,
): QuotaStep {
  const { resources } = slice.status ?? {};
  const isGranted = isAccepted(slice) && resources !== undefined;
  if (!existing) {
    if (!isGranted) return { type: 'leave' };
    return { type: 'create', quota: forgeQuota(slice, { resources, limitsEnforcement }) };
  }
  if (!isOfSlice(existing, slice)) return { type: 'taken' };
  const granted = isGranted ? resources : existing.spec.resources;
  return planChange(existing, forgeQuota(slice, { resources: granted, limitsEnforcement }));
}

function forgeQuota(
  slice: Stored<ResourceSlice>,
  granted: Pick<QuotaSpec, 'limitsEnforcement' | 'resources'>,
): Quota {
  const user = quotaName(slice.metadata.name, consumerOf(slice));
  return {
    metadata: {
      name: user,
      namespace: slice.metadata.namespace ?? '',
      labels: { [labels.managed]: 'true' },
      ownerReferences: [ownerReference(ResourceSlice, slice.metadata)],
    },
    spec: { user, ...granted, ...(isCordoned(slice) && { cordoned: true }) },
  };
}

function planChange(existing: Stored<Quota>, wanted: Quota): QuotaStep {
  const { uid, resourceVersion } = existing.metadata;
  const marks = { ...existing.metadata.labels, ...wanted.metadata?.labels };
  const { ownerReferences } = wanted.metadata ?? {};
  const before = {
    metadata: {
      labels: existing.metadata.labels,
      ownerReferences: existing.metadata.ownerReferences,
    },
    spec: existing.spec,
  };
  const after = { metadata: { labels: marks, ownerReferences }, spec: wanted.spec };
  if (deepEqual(before, after)) return { type: 'leave' };
  const change = diffMergePatch(before, after);
  const { metadata, ...others } = isJsonObject(change) ? change : {};
  const head = { ...(isJsonObject(metadata) && metadata), uid, resourceVersion };
  return { type: 'patch', change: { ...others, metadata: head } };
}

/** One of an earlier slice of that name is taken over: what ran under it still counts. */
function isOfSlice({ metadata }: Stored<Quota>, slice: Stored<ResourceSlice>): boolean {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller);
  const isSlice =
    owner?.kind === ResourceSlice.kind && owner.apiVersion === apiVersionOf(ResourceSlice);
  return isSlice && owner.name === slice.metadata.name;
}

function isAccepted({ status }: ResourceSlice): boolean {
  return findCondition(status?.conditions, 'Resources')?.status === 'Accepted';
}

/** By the provider, for this slice or for all of the consumer; or because nothing is granted any more. */
function isCordoned(slice: Stored<ResourceSlice>): boolean {
  const { metadata, status } = slice;
  const marks = [annotations.cordon, annotations.cordonTenant] as const;
  const isMarked = marks.some((mark) => isSet(metadata.annotations?.[mark]));
  const isDenied = (status?.conditions ?? []).some((condition) => condition.status === 'Denied');
  return isMarked || isDenied || !isAccepted(slice);
}

const unset: readonly string[] = ['false', 'False', '0'];

function isSet(value: string | undefined): boolean {
  return value !== undefined && !unset.includes(value);
}
