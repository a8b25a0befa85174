import type { ShadowPod } from '@liqo/api';
import { deepEqual, type Pod, type Stored } from '@liqo/kube';
import { appliedGeneration, applyMetadata, type WantedMetadata } from '../applied-metadata.ts';
import type { PodPolicy } from '../pod-policy/pod-policy.ts';
import { followPodSpec, followResources, missingEphemeral } from '../pods/follow-pod-spec.ts';
import type { EphemeralContainer, PodSpec } from '../pods/pod-spec.ts';
import type { PodChange } from './denied-change.ts';
import { wantedMetadata } from './forge-pod.ts';
import { keepCreator } from './keep-creator.ts';

/** A change of a running pod, which the API server can deny. */
export interface ChangeStep {
  /**
   * `update`: metadata, images, deadline and tolerations. `resize`: resources. `debug`: an ephemeral container. The last two
   * have subresources of their own.
   */
  readonly type: 'update' | 'resize' | 'debug';
  readonly change: PodChange;
  readonly pod: Stored<Pod>;
}

interface ChangeContext {
  readonly policy: PodPolicy;
  readonly denied: readonly PodChange[];
  /** The spec that the pod is to follow, as the policy allows it; absent when the pod is up to date. */
  readonly wanted?: PodSpec;
}

/**
 * Whether the spec of a ShadowPod has not changed since its pod followed it. It is compared only otherwise: admission at the
 * provider may have made something else of what was asked for, and asking again would not change that.
 */
export function isUpToDate(shadowPod: Stored<ShadowPod>, pod: Stored<Pod>): boolean {
  return appliedGeneration(pod.metadata) === shadowPod.metadata.generation;
}

/** The next change. The generation is recorded with the last one, once none was denied. */
export function planChange(
  shadowPod: Stored<ShadowPod>,
  pod: Stored<Pod>,
  { policy, denied, wanted }: ChangeContext,
): ChangeStep | { readonly type: 'leave' } {
  const { spec: current = { containers: [] } } = pod;
  const isDenied = (change: PodChange) => denied.some((one) => deepEqual(one, change));
  const resized = wanted ? followResources(current, wanted) : current;
  if (resized !== current && !isDenied('resize')) {
    return { type: 'resize', change: 'resize', pod: { ...pod, spec: resized } };
  }
  const [container] = (wanted ? missingEphemeral(current, wanted) : []).filter(
    ({ name }) => !isDenied({ ephemeralContainer: name }),
  );
  if (container) return planEphemeral(pod, container);
  const whole = wantedMetadata(shadowPod, policy);
  const metadata = keepCreator(denied.length > 0 ? unapplied(whole, pod) : whole, pod);
  const updated = {
    ...pod,
    metadata: { ...pod.metadata, ...applyMetadata(pod.metadata, metadata) },
    spec: wanted ? followPodSpec(current, wanted) : current,
  };
  if (isDenied('update') || deepEqual(updated, pod)) return { type: 'leave' };
  return { type: 'update', change: 'update', pod: updated };
}

function planEphemeral(pod: Stored<Pod>, container: EphemeralContainer): ChangeStep {
  const { spec = { containers: [] } } = pod;
  const ephemeralContainers = [...(spec.ephemeralContainers ?? []), container];
  return {
    type: 'debug',
    change: { ephemeralContainer: container.name },
    pod: { ...pod, spec: { ...spec, ephemeralContainers } },
  };
}

/** What is wanted of the metadata, with the generation that the pod was last brought up to. */
function unapplied({ generation: _, ...wanted }: WantedMetadata, pod: Stored<Pod>): WantedMetadata {
  const generation = appliedGeneration(pod.metadata);
  return { ...wanted, ...(generation !== undefined && { generation }) };
}
