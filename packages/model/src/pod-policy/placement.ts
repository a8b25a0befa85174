import type { Affinity, PodSpec, Toleration } from '../pods/pod-spec.ts';
import { startsWithAny } from './pod-policy.ts';
import type { PolicyContext } from './policy-rule.ts';

type PodAffinity = NonNullable<Affinity['podAntiAffinity']>;
type PodTerm = NonNullable<PodAffinity['requiredDuringSchedulingIgnoredDuringExecution']>[number];
type NodeTerm = NonNullable<
  NonNullable<Affinity['nodeAffinity']>['requiredDuringSchedulingIgnoredDuringExecution']
>['nodeSelectorTerms'][number];

/** Kubernetes gives these to every pod, for as long. */
const mayStay: readonly string[] = [
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
];
const longestStaySeconds = 300;

export function withoutDeniedTolerations(spec: PodSpec, { policy }: PolicyContext): PodSpec {
  const { tolerations, ...others } = spec;
  if (!tolerations) return spec;
  const denied = policy.deniedTolerations;
  const kept = tolerations.flatMap((one) => (isDenied(one, denied) ? shortStay(one) : one));
  return { ...others, ...(kept.length > 0 && { tolerations: kept }) };
}

/** One without a key is for all taints. */
function isDenied({ key = '' }: Toleration, denied: readonly string[]): boolean {
  return key === '' ? denied.length > 0 : startsWithAny(key, denied);
}

/** What is left of a denied toleration. */
function shortStay(toleration: Toleration): readonly Toleration[] {
  const { key = '', effect, tolerationSeconds } = toleration;
  if (!mayStay.includes(key) || effect !== 'NoExecute') return [];
  if (typeof tolerationSeconds !== 'number') return [];
  return [{ ...toleration, tolerationSeconds: Math.min(tolerationSeconds, longestStaySeconds) }];
}

export function affinityProblems(spec: PodSpec, { policy }: PolicyContext): readonly string[] {
  const keys = [...Object.keys(spec.nodeSelector ?? {}), ...askedNodeLabels(spec.affinity)];
  return [...new Set(keys)]
    .filter((key) => startsWithAny(key, policy.deniedNodeLabels))
    .map((key) => `nodes with the label "${key}" are not for consumers`);
}

const avoiding: readonly string[] = ['NotIn', 'DoesNotExist'];

function askedNodeLabels(affinity: PodSpec['affinity']): readonly string[] {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity?.nodeAffinity ?? {};
  const terms: readonly NodeTerm[] = [
    ...(required?.nodeSelectorTerms ?? []),
    ...(preferred ?? []).map(({ preference }) => preference),
  ];
  return terms.flatMap(({ matchExpressions }) =>
    (matchExpressions ?? []).flatMap(({ key, operator }) =>
      avoiding.includes(operator) ? [] : key,
    ),
  );
}

export function withOwnPodsOnly(spec: PodSpec): PodSpec {
  const { affinity } = spec;
  if (!affinity?.podAffinity && !affinity?.podAntiAffinity) return spec;
  const { podAffinity, podAntiAffinity } = affinity;
  return {
    ...spec,
    affinity: {
      ...affinity,
      ...(podAffinity && { podAffinity: ownPodsOnly(podAffinity) }),
      ...(podAntiAffinity && { podAntiAffinity: ownPodsOnly(podAntiAffinity) }),
    },
  };
}

function ownPodsOnly(affinity: PodAffinity): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  return {
    ...(required && { requiredDuringSchedulingIgnoredDuringExecution: required.map(ownTerm) }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((one) => ({
        ...one,
        podAffinityTerm: ownTerm(one.podAffinityTerm),
      })),
    }),
  };
}

function ownTerm({ namespaces: _, namespaceSelector: __, ...term }: PodTerm): PodTerm {
  return term;
}
