import { type LabelQuery, labelQueryFromSelector, matchesLabels, type Pod } from '@liqo/kube';
import type { PodAffinityTerm, WeightedPodAffinityTerm } from 'kubernetes-types/core/v1.d.ts';

type Labels = Readonly<Record<string, string>>;

/** A term of a pod's (anti-)affinity, parsed: which pods it speaks of, and how near is near. */
export interface AffinityTerm {
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceQuery: LabelQuery;
  readonly query: LabelQuery;
  readonly topologyKey: string;
  /** How much it is wished for; required terms have none. */
  readonly weight: number;
}

export interface AffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly AffinityTerm[];
  readonly preferredAntiAffinity: readonly AffinityTerm[];
}

/** `matchLabelKeys` need no care: the API server has merged them into the selectors. */
export function readAffinityTerms(pod: Pod): AffinityTerms {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const namespace = pod.metadata?.namespace ?? '';
  const required = (terms: readonly PodAffinityTerm[] | undefined) =>
    (terms ?? []).map((term) => parseTerm(term, namespace, 0));
  const preferred = (terms: readonly WeightedPodAffinityTerm[] | undefined) =>
    (terms ?? []).map((term) => parseTerm(term.podAffinityTerm, namespace, term.weight));
  return {
    requiredAffinity: required(podAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    requiredAntiAffinity: required(podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
    preferredAffinity: preferred(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution),
    preferredAntiAffinity: preferred(
      podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution,
    ),
  };
}

/** Namespaces are those named, those selected, or (when the term says nothing) the pod's own. */
function parseTerm(term: PodAffinityTerm, ownNamespace: string, weight: number): AffinityTerm {
  const { namespaces = [], namespaceSelector, labelSelector, topologyKey } = term;
  const saysNothing = namespaces.length === 0 && !namespaceSelector;
  return {
    namespaces: new Set(saysNothing ? [ownNamespace] : namespaces),
    namespaceQuery: labelQueryFromSelector(namespaceSelector),
    query: labelQueryFromSelector(labelSelector),
    topologyKey,
    weight,
  };
}

export function termMatches(
  term: AffinityTerm,
  pod: Pod,
  namespaceLabels: Labels | undefined,
): boolean {
  const namespace = pod.metadata?.namespace ?? '';
  const isInside =
    term.namespaces.has(namespace) || matchesLabels(term.namespaceQuery, namespaceLabels);
  return isInside && matchesLabels(term.query, pod.metadata?.labels);
}
