import { annotations, labels, type OffloadingPatch } from '@liqo/api';
import type { Pod } from '@liqo/kube';
import { translateAntiAffinity } from './merged-label-keys.ts';
import type { Affinity } from './pod-spec.ts';

type AntiAffinity = NonNullable<Affinity['podAntiAffinity']>;
type Labels = Readonly<Record<string, string>>;

/** Where the pod may run at the provider: as the patch of the virtual node says, and away from its like if it asks. */
export function translateAffinity(
  pod: Pod,
  patch: OffloadingPatch | undefined,
): Affinity | undefined {
  const nodeAffinity = patch?.affinity?.nodeAffinity as Affinity['nodeAffinity'];
  const podAntiAffinity = antiAffinity(pod);
  if (!nodeAffinity && !podAntiAffinity) return undefined;
  return { ...(nodeAffinity && { nodeAffinity }), ...(podAntiAffinity && { podAntiAffinity }) };
}

function antiAffinity(pod: Pod): AntiAffinity | undefined {
  switch (pod.metadata?.annotations?.[annotations.antiAffinityPreset]) {
    case 'propagate':
      return propagated(pod);
    case 'soft':
      return {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: awayFromItsLike(pod) },
        ],
      };
    case 'hard':
      return { requiredDuringSchedulingIgnoredDuringExecution: [awayFromItsLike(pod)] };
    default:
      return undefined;
  }
}

function propagated({ spec }: Pod): AntiAffinity | undefined {
  const own = spec?.affinity?.podAntiAffinity;
  return own && translateAntiAffinity(own);
}

function awayFromItsLike(pod: Pod) {
  return {
    labelSelector: { matchLabels: labelsOfItsLike(pod) },
    topologyKey: 'kubernetes.io/hostname',
  };
}

/** Those differ between pods of one application. */
const labelsOfOnePod: readonly string[] = [
  'controller-revision-hash',
  'pod-template-hash',
  'statefulset.kubernetes.io/pod-name',
  labels.shadowPod,
  labels.remoteUnavailable,
];

function labelsOfItsLike({ metadata = {} }: Pod): Labels {
  const chosen = metadata.annotations?.[annotations.antiAffinityLabels]?.split(',');
  const keys = chosen?.map((key) => key.trim());
  const entries = Object.entries(metadata.labels ?? {}).filter(([key]) =>
    keys ? keys.includes(key) : !labelsOfOnePod.includes(key),
  );
  return Object.fromEntries(entries);
}
