import { type Clock, formatTime, Pod, type Stored } from '@liqo/kube';
import type { PodCondition, PodStatus } from 'kubernetes-types/core/v1.d.ts';
import { defineResource, partOf, type ResourceDefinition } from '../define-resource.ts';
import { ephemeralContainers } from './ephemeral-containers.ts';
import { keepObservedGenerations } from './keep-observed-generations.ts';
import { podColumns } from './pod-columns.ts';
import { defaultPod } from './pod-defaults.ts';
import { qosClassOf } from './qos-class.ts';
import { resize } from './resize.ts';
import { validateNewPod, validatePod } from './validate-pod.ts';
import { validatePodStatusUpdate } from './validate-pod-status.ts';
import { validatePodUpdate } from './validate-pod-update.ts';

const connect = ['create', 'get'] as const;
const proxied = ['create', 'delete', 'get', 'patch', 'update'] as const;
const ofCore = { group: '', version: 'v1' } as const;

export function pods(clock: Clock): ResourceDefinition {
  return defineResource<Pod>({
    kind: Pod,
    shortNames: ['po'],
    categories: ['all'],
    selectableFields: {
      'spec.nodeName': ({ spec }) => spec?.nodeName ?? '',
      'spec.host': ({ spec }) => spec?.nodeName ?? '',
      'spec.restartPolicy': ({ spec }) => spec?.restartPolicy ?? '',
      'spec.schedulerName': ({ spec }) => spec?.schedulerName ?? '',
      'spec.serviceAccountName': ({ spec }) => spec?.serviceAccountName ?? '',
      'spec.hostNetwork': ({ spec }) => String(spec?.hostNetwork ?? false),
      'status.phase': ({ status }) => status?.phase ?? '',
      'status.podIP': ({ status }) => status?.podIPs?.[0]?.ip ?? '',
      // Accepted, and matches nothing.
      'status.podIPs': () => '',
      'status.nominatedNodeName': ({ status }) => status?.nominatedNodeName ?? '',
    },
    subresources: {
      attach: { kind: 'PodAttachOptions', ...ofCore, verbs: connect },
      binding: { kind: 'Binding', ...ofCore, verbs: ['create'] },
      ephemeralcontainers: partOf(Pod),
      eviction: { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
      exec: { kind: 'PodExecOptions', ...ofCore, verbs: connect },
      log: partOf(Pod, ['get']),
      portforward: { kind: 'PodPortForwardOptions', ...ofCore, verbs: connect },
      proxy: { kind: 'PodProxyOptions', ...ofCore, verbs: proxied },
      resize: partOf(Pod),
      status: partOf(Pod),
    },
    columns: podColumns,
    freshStatus: {},
    strategy: {
      withDefaults: defaultPod,
      onCreate: (pod: Pod): Pod => ({ ...pod, status: freshStatus(pod, clock) }),
      onStatusUpdate: keepOwners,
      validate: validatePod,
      validateCreate: validateNewPod,
      validateUpdate: validatePodUpdate,
      validateStatusUpdate: validatePodStatusUpdate,
      parts: { ephemeralcontainers: ephemeralContainers, resize },
      gracePeriodSeconds,
      returnsDeleted: true,
    },
  });
}

function freshStatus({ spec }: Pod, clock: Clock): PodStatus {
  const isGated = (spec?.schedulingGates ?? []).length > 0;
  const gated = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: formatTime(clock.now()),
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
  return {
    phase: 'Pending',
    ...(isGated && { conditions: [gated as unknown as PodCondition] }),
    qosClass: qosClassOf(spec),
  };
}

/** Kubelets of old forgot parts of the owners, and the class: neither is theirs to change. */
function keepOwners(next: Pod, previous: Stored<Pod>): Pod {
  const { ownerReferences: _, ...metadata } = next.metadata ?? {};
  const { ownerReferences } = previous.metadata;
  const qosClass = next.status?.qosClass ?? previous.status?.qosClass;
  return {
    ...next,
    metadata: { ...metadata, ...(ownerReferences && { ownerReferences }) },
    status: {
      ...keepObservedGenerations(next.status ?? {}, previous.status ?? {}),
      ...(qosClass && { qosClass }),
    },
  };
}

/** Nobody waits for a pod that never got to a node, or has already ended. */
function gracePeriodSeconds({ spec, status }: Stored<Pod>, asked: number | undefined): number {
  const hasEnded = status?.phase === 'Failed' || status?.phase === 'Succeeded';
  if (!spec?.nodeName || hasEnded) return 0;
  const period = asked ?? spec.terminationGracePeriodSeconds ?? 0;
  return period < 0 ? 1 : period;
}
