import { labels, labelValues, type NamespaceOffloading, virtualNodeToleration } from '@liqo/api';
import type { Pod } from '@liqo/kube';
import { isPlacedByOthers, toleratesVirtualNodes } from '@liqo/model';
import { combineTerms, mostTerms, type NodeTerm } from './node-terms.ts';

type PodSpec = NonNullable<Pod['spec']>;
type Toleration = NonNullable<PodSpec['tolerations']>[number];
type Affinity = NonNullable<PodSpec['affinity']>;

/** Where the pods of a namespace may run. */
export type Placement = Pick<
  NonNullable<NamespaceOffloading['spec']>,
  'clusterSelector' | 'podOffloadingStrategy'
>;

/** Of a namespace that is offloaded by its label, without a NamespaceOffloading. */
export const defaultPlacement: Placement = { podOffloadingStrategy: 'LocalAndRemote' };

export class TooManyTermsError extends Error {
  override readonly name = 'TooManyTermsError';
}

/**
 * The pod with the toleration and the affinity of its namespace, next to its own; the same pod if there is nothing to
 * change. Throws a `TooManyTermsError` when its own affinity cannot be combined with the selector of the namespace.
 *
 * Pods of DaemonSets stay as they are: the DaemonSet has chosen the node of each by its template, so one that tolerates
 * virtual nodes has asked for them. A pod that names its node is not scheduled, and its kubelet would refuse an affinity
 * that the node does not have.
 */
export function placePod(pod: Pod, placement: Placement): Pod {
  const { spec } = pod;
  if (!spec || isPlacedByOthers(pod)) return pod;
  if (placement.podOffloadingStrategy === 'Local') return pod;
  const tolerations = tolerateVirtualNodes(spec.tolerations);
  const affinity = spec.nodeName ? spec.affinity : withTerms(spec.affinity, termsOf(placement));
  if (tolerations === spec.tolerations && affinity === spec.affinity) return pod;
  return {
    ...pod,
    spec: { ...spec, ...(tolerations && { tolerations }), ...(affinity && { affinity }) },
  };
}

function tolerateVirtualNodes(own: Toleration[] | undefined): Toleration[] | undefined {
  if (own?.some(toleratesVirtualNodes)) return own;
  return [...(own ?? []), { ...virtualNodeToleration }];
}

/** Undefined where every node will do. */
function termsOf({
  podOffloadingStrategy,
  clusterSelector,
}: Placement): readonly NodeTerm[] | undefined {
  const selected = (clusterSelector?.nodeSelectorTerms ?? []) as readonly NodeTerm[];
  if (podOffloadingStrategy === 'Remote') {
    return selected.length > 0 ? combineTerms(selected, [virtualNodes]) : [virtualNodes];
  }
  return selected.length > 0 ? [...selected, localNodes] : undefined;
}

const virtualNodes: NodeTerm = {
  matchExpressions: [{ key: labels.type, operator: 'In', values: [labelValues.virtualNode] }],
};

const localNodes: NodeTerm = {
  matchExpressions: [{ key: labels.type, operator: 'NotIn', values: [labelValues.virtualNode] }],
};

function withTerms(
  affinity: Affinity | undefined,
  added: readonly NodeTerm[] | undefined,
): Affinity | undefined {
  if (!added) return affinity;
  const nodeAffinity = affinity?.nodeAffinity;
  const own = nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if ((own?.length ?? 1) * added.length > mostTerms) {
    throw new TooManyTermsError(
      `the required node affinity of the pod has ${own?.length} terms, and the clusterSelector of its namespace has ${added.length}: at most ${mostTerms} combinations are possible. Use fewer terms with longer lists of values`,
    );
  }
  const terms = combineTerms(own, added);
  if (own && terms.length === own.length && terms.every((term, nth) => term === own[nth])) {
    return affinity;
  }
  return {
    ...affinity,
    nodeAffinity: {
      ...nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [...terms] },
    },
  };
}
