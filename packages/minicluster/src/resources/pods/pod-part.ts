import type { Pod, Stored } from '@liqo/kube';
import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';

/** Written by other ways than through a part of the object. */
const kept = [
  'deletionTimestamp',
  'generation',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
] as const;

/** The pod as it was, but for `spec`; whose metadata it is can still be checked. */
export function withSpec(
  spec: NonNullable<Pod['spec']>,
  { metadata }: Pod,
  previous: Stored<Pod>,
): Pod {
  const next: ObjectMeta = { ...metadata };
  for (const key of kept) delete next[key];
  const old = kept.filter((key) => previous.metadata[key] !== undefined);
  Object.assign(next, Object.fromEntries(old.map((key) => [key, previous.metadata[key]])));
  return { ...previous, metadata: next, spec };
}

export function isStatic({ metadata }: Stored<Pod>): boolean {
  return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
}
