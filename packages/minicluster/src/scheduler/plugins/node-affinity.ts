import { matchesNodeSelector, matchesNodeSelectorTerm, type Node, type Pod } from '@liqo/kube';
import type { NodeSelectorTerm, PreferredSchedulingTerm } from 'kubernetes-types/core/v1.d.ts';
import { type FilterPlugin, normalizeScores, type Rejection, type ScorePlugin } from '../plugin.ts';

const rejection: Rejection = {
  reasons: ["node(s) didn't match Pod's node affinity/selector"],
  resolvable: false,
};

export const nodeAffinity: FilterPlugin = {
  name: 'NodeAffinity',
  prepare: ({ pod }) => {
    if (!pod.spec?.nodeSelector && !requiredTerms(pod)) return undefined;
    return ({ node }) => (matchesRequiredNodes(pod, node) ? undefined : rejection);
  },
  preselect: ({ pod }) => namedNodes(requiredTerms(pod) ?? []),
};

export const preferredNodes: ScorePlugin = {
  name: 'NodeAffinity',
  weight: 2,
  score: ({ pod }, nodes) => {
    const preferred =
      pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (preferred.length === 0) return undefined;
    return normalizeScores(
      nodes.map(({ node }) => sumWeights(preferred, node)),
      false,
    );
  },
};

/** Whether the node has what `nodeSelector` and the required node affinity of the pod ask for. */
export function matchesRequiredNodes(pod: Pod, node: Node): boolean {
  const labels = node.metadata?.labels ?? {};
  const wanted = Object.entries(pod.spec?.nodeSelector ?? {});
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  const terms = requiredTerms(pod);
  return !terms || matchesNodeSelector({ nodeSelectorTerms: [...terms] }, node);
}

function requiredTerms(pod: Pod): readonly NodeSelectorTerm[] | undefined {
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms;
}

function sumWeights(terms: readonly PreferredSchedulingTerm[], node: Node): number {
  const matching = terms.filter(({ preference }) => matchesNodeSelectorTerm(preference, node));
  return matching.reduce((sum, { weight }) => sum + weight, 0);
}

/** The nodes that the terms name, when every one of them names some: what daemon sets do. */
function namedNodes(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const names = terms.map(namesIn);
  if (names.length === 0 || names.includes(undefined)) return undefined;
  return new Set(names.flatMap((some) => some ?? []));
}

function namesIn({ matchFields = [] }: NodeSelectorTerm): readonly string[] | undefined {
  const named = matchFields.filter(
    ({ key, operator }) => key === 'metadata.name' && operator === 'In',
  );
  const [first, ...others] = named.map(({ values = [] }) => values);
  return first?.filter((name) => others.every((values) => values.includes(name)));
}
