import type { Affinity, PodSpec } from './pod-spec.ts';

/**
 * The API server that a pod was created with has looked the `matchLabelKeys` and `mismatchLabelKeys` up in the labels of the
 * pod, and added what they stand for to the selector. Another API server refuses a key that is in both places, so the
 * keys go and the selector, which says the same, stays.
 */
export function withoutMergedKeys<T extends WithLabelKeys>(term: T): T {
  const merged = new Set(term.labelSelector?.matchExpressions?.map(({ key }) => key));
  const members = Object.entries(term).flatMap(([name, value]) => {
    if (name !== 'matchLabelKeys' && name !== 'mismatchLabelKeys') return [[name, value]];
    const keys = term[name]?.filter((key) => !merged.has(key)) ?? [];
    return keys.length > 0 ? [[name, keys]] : [];
  });
  return Object.fromEntries(members);
}

interface WithLabelKeys {
  readonly labelSelector?: {
    readonly matchExpressions?: readonly { readonly key: string }[];
    readonly matchLabels?: Readonly<Record<string, string>>;
  };
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export function translateSpread(
  constraints: PodSpec['topologySpreadConstraints'],
): PodSpec['topologySpreadConstraints'] {
  return constraints?.map(withoutMergedKeys);
}

type AntiAffinity = NonNullable<Affinity['podAntiAffinity']>;

export function translateAntiAffinity(antiAffinity: AntiAffinity): AntiAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = antiAffinity;
  return {
    ...antiAffinity,
    ...(required && {
      requiredDuringSchedulingIgnoredDuringExecution: required.map(withoutMergedKeys),
    }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((one) => ({
        ...one,
        podAffinityTerm: withoutMergedKeys(one.podAffinityTerm),
      })),
    }),
  };
}
