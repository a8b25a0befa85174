import { labels, labelValues, ShadowPod } from '@liqo/api';
import { apiVersionOf, type Pod, type Stored } from '@liqo/kube';
import { appliedMetadata, applyMetadata, type WantedMetadata } from '../applied-metadata.ts';
import { allowedEntries } from '../pod-policy/pod-metadata.ts';
import type { PodPolicy } from '../pod-policy/pod-policy.ts';
import type { PodSpec } from '../pods/pod-spec.ts';

/** The pod that a ShadowPod asks for, with a spec that the policy of the provider allows. */
export function forgePod(shadowPod: Stored<ShadowPod>, spec: PodSpec, policy: PodPolicy): Pod {
  const { name, namespace, uid } = shadowPod.metadata;
  const owner = { apiVersion: apiVersionOf(ShadowPod), kind: ShadowPod.kind, name, uid };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...applyMetadata(undefined, wantedMetadata(shadowPod, policy)),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec,
  };
}

/** The labels and annotations of the pod that are for its ShadowPod to decide. */
export function wantedMetadata({ metadata }: Stored<ShadowPod>, policy: PodPolicy): WantedMetadata {
  const { [appliedMetadata]: _, ...annotations } = allowedEntries(metadata.annotations, policy);
  const allowed = allowedEntries(metadata.labels, policy);
  return {
    labels: { ...allowed, [labels.managedBy]: labelValues.managedByShadowPod },
    annotations,
    ...(metadata.generation !== undefined && { generation: metadata.generation }),
  };
}
