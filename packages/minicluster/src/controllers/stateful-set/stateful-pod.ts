import type { PersistentVolumeClaim, Pod, StatefulSet, Stored } from '@liqo/kube';
import type { PodTemplateSpec, Volume } from 'kubernetes-types/core/v1.d.ts';
import { forgePod } from '../pod-template.ts';

const revisionLabel = 'controller-revision-hash';

function podName(set: Stored<StatefulSet>, ordinal: number): string {
  return `${set.metadata.name}-${ordinal}`;
}

/** The number in the name of a pod of the set, undefined if it is not named like one. */
export function ordinalOf(set: Stored<StatefulSet>, pod: Stored<Pod>): number | undefined {
  const [, parent, ordinal] = /^(.*)-(\d+)$/.exec(pod.metadata.name) ?? [];
  return parent === set.metadata.name ? Number(ordinal) : undefined;
}

export function revisionOf(pod: Pod): string | undefined {
  return pod.metadata?.labels?.[revisionLabel];
}

/** The pod with a number: its name, host name and claims are always the same. */
export function forgeStatefulPod(
  set: Stored<StatefulSet>,
  ordinal: number,
  revision: { readonly name: string; readonly template: PodTemplateSpec },
): Pod {
  const name = podName(set, ordinal);
  const pod = forgePod(revision.template, set, { name, generateName: `${set.metadata.name}-` });
  const labels = {
    ...pod.metadata?.labels,
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
    [revisionLabel]: revision.name,
  };
  const { containers = [], volumes = [], ...spec } = pod.spec ?? {};
  const claimed = forgeVolumes(set, ordinal);
  const isReplaced = (volume: Volume) => claimed.some((claim) => claim.name === volume.name);
  return {
    ...pod,
    metadata: { ...pod.metadata, labels },
    spec: {
      ...spec,
      containers,
      volumes: [...claimed, ...volumes.filter((volume) => !isReplaced(volume))],
      hostname: name,
      ...(set.spec?.serviceName && { subdomain: set.spec.serviceName }),
    },
  };
}

function forgeVolumes(set: Stored<StatefulSet>, ordinal: number): Volume[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
}

function claimName(
  set: Stored<StatefulSet>,
  template: PersistentVolumeClaim,
  ordinal: number,
): string {
  return `${template.metadata?.name}-${podName(set, ordinal)}`;
}

/** The claims that the pod with a number needs. They outlive it, and the set, too. */
export function forgeClaims(
  set: Stored<StatefulSet>,
  ordinal: number,
): readonly PersistentVolumeClaim[] {
  const { namespace = '' } = set.metadata;
  return (set.spec?.volumeClaimTemplates ?? []).map(({ metadata, spec }) => ({
    metadata: {
      namespace,
      name: claimName(set, { metadata: metadata ?? {} }, ordinal),
      labels: { ...metadata?.labels, ...set.spec?.selector.matchLabels },
      ...(metadata?.annotations && { annotations: metadata.annotations }),
    },
    ...(spec && { spec }),
  }));
}
