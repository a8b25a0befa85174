import { labels, ShadowPod } from '@liqo/api';
import { apiVersionOf, type Pod, type Stored } from '@liqo/kube';
import { consumerPodUid } from './pod-kinship.ts';
import { type PodRoute, translatePodSpec } from './translate-pod-spec.ts';

/** A ShadowPod as the virtual kubelet writes it: its name and what it wants are known. */
export interface ForgedShadowPod extends ShadowPod {
  readonly metadata: {
    name: string;
    namespace: string;
    labels: Record<string, string>;
    annotations: Record<string, string>;
  };
  readonly spec: { readonly pod: NonNullable<ShadowPod['spec']['pod']> };
}

/** What the provider is asked to run for a pod of the consumer. The same pod and route give the same. */
export function forgeShadowPod(local: Stored<Pod>, route: PodRoute): ForgedShadowPod {
  return {
    apiVersion: apiVersionOf(ShadowPod),
    kind: ShadowPod.kind,
    metadata: {
      name: local.metadata.name,
      namespace: route.remoteNamespace,
      labels: translateLabels(local, route),
      annotations: translateAnnotations(local, route),
    },
    spec: { pod: translatePodSpec(local, route) },
  };
}

type Entries = Record<string, string>;

/** Those say something about the pod at the consumer, or are for the provider alone to set. */
const labelsNotForProvider: readonly string[] = [
  labels.shadowPod,
  labels.remoteUnavailable,
  labels.creatorUser,
  labels.managedBy,
];

function translateLabels(local: Stored<Pod>, route: PodRoute): Entries {
  const kept = [...labelsNotForProvider, ...(route.offloadingPatch?.labelsNotReflected ?? [])];
  return {
    ...without(local.metadata.labels, kept),
    [labels.nodeName]: route.nodeName,
    [labels.origin]: route.consumerClusterID,
    [labels.destination]: route.providerClusterID,
  };
}

function translateAnnotations(local: Stored<Pod>, route: PodRoute): Entries {
  const kept = route.offloadingPatch?.annotationsNotReflected ?? [];
  return {
    ...without(local.metadata.annotations, kept),
    [consumerPodUid]: local.metadata.uid,
  };
}

function without(entries: Entries = {}, keys: readonly string[]): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key)));
}
