import { labels, labelValues, ShadowPod } from '@liqo/api';
import { apiVersionOf, type Pod, type Stored } from '@liqo/kube';
import { appliedMetadata, applyMetadata, type WantedMetadata } from '../applied-metadata.ts';
import { withoutFates } from '../pods/field-rule.ts';
import type { PodSpec } from '../pods/pod-spec.ts';
import { podSpecFields } from '../pods/pod-spec-fields.ts';

/**
 * The pod that a ShadowPod asks for. A consumer writes ShadowPods as it likes: whatever no virtual kubelet would send is
 * removed here, so that nobody gets around the scheduler or onto a host.
 */
export function forgePod(shadowPod: Stored<ShadowPod>, spec: PodSpec): Pod {
  const { name, namespace, uid } = shadowPod.metadata;
  const owner = { apiVersion: apiVersionOf(ShadowPod), kind: ShadowPod.kind, name, uid };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(namespace !== undefined && { namespace }),
      ...applyMetadata(undefined, wantedMetadata(shadowPod)),
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
    spec: withoutFates(spec, podSpecFields, ['removed']),
  };
}

/** The labels and annotations of the pod that are for its ShadowPod to decide. */
export function wantedMetadata({ metadata }: Stored<ShadowPod>): WantedMetadata {
  const { [appliedMetadata]: _, ...annotations } = metadata.annotations ?? {};
  return {
    labels: { ...metadata.labels, [labels.managedBy]: labelValues.managedByShadowPod },
    annotations,
    ...(metadata.generation !== undefined && { generation: metadata.generation }),
  };
}
