import { type ResourceSlice, virtualNodeTaint } from '@liqo/api';
import { addResources, findCondition, type Pod, type ResourceList, type Stored } from '@liqo/kube';
import { hasStarted, isFinished } from '@liqo/model';
import { type Break, broken, type Link, type Remedy } from './chain.ts';
import { tolerates } from './tolerates.ts';

/** The reasons that a pod is not created at the provider because of the Quota of its slice. */
const quotaReasons: readonly (string | undefined)[] = [
  'QuotaExceeded',
  'QuotaCordoned',
  'RequestsRequired',
  'NoQuota',
  'InvalidResources',
];

export interface PodFacts {
  readonly pod: Stored<Pod>;
  /** Whether it is bound to a virtual node. */
  readonly isOffloaded: boolean;
}

export function podLink({ pod, isOffloaded }: PodFacts): Link {
  const { name, namespace } = pod.metadata;
  return {
    link: 'pod',
    object: `Pod "${name}" in "${namespace}"`,
    problem: isFinished(pod.status?.phase)
      ? undefined
      : isOffloaded
        ? judgeOffloaded(pod)
        : judgePlacement(pod),
  };
}

/** What the Quota of the slice says of the pod. */
export function quotaLink(
  { pod, isOffloaded }: PodFacts,
  slice: Stored<ResourceSlice> | undefined,
): Link {
  const { reason, message = '' } = pod.status ?? {};
  const object = slice ? `Quota of the slice "${slice.metadata.name}"` : 'Quotas of this cluster';
  if (!isOffloaded || reason === undefined || !quotaReasons.includes(reason)) {
    return { link: 'quota', object };
  }
  const { command, at } = quotaRemedy(reason, pod, slice);
  return { link: 'quota', object, problem: broken(reason, message, command, { at }) };
}

function quotaRemedy(
  reason: string,
  pod: Stored<Pod>,
  slice: Stored<ResourceSlice> | undefined,
): Remedy {
  const { name: podName, namespace } = pod.metadata;
  const showPod = `kubectl get pod ${podName} -n ${namespace} -o yaml`;
  if (['RequestsRequired', 'InvalidResources'].includes(reason)) {
    return { at: 'consumer', command: showPod };
  }
  // Credentials that were made by hand, or an offer: the provider knows which Quota it is.
  if (!slice) return { at: 'provider', command: 'kubectl get quotas.offloading.liqo.io -A' };
  const { name } = slice.metadata;
  const { consumerClusterID = 'CONSUMER', providerClusterID = 'PROVIDER' } = slice.spec;
  if (reason === 'QuotaCordoned') {
    const command = `liqoctl uncordon resourceslice ${name} --remote-cluster-id ${consumerClusterID}`;
    return { at: 'provider', command };
  }
  const amounts = spellAmounts(addResources(slice.status?.resources ?? {}, podRequests(pod)));
  const command = `liqoctl create resourceslice ${name} --remote-cluster-id ${providerClusterID}${amounts}`;
  return { at: 'consumer', command };
}

function podRequests({ spec }: Stored<Pod>): ResourceList {
  const requests = (spec?.containers ?? []).map(({ resources }) => resources?.requests ?? {});
  return requests.reduce<ResourceList>(addResources, { pods: '1' });
}

/** As flags: what the slice has already, and what the pod asks for besides. */
function spellAmounts(amounts: ResourceList): string {
  return Object.entries(amounts)
    .map(([resource, amount]) =>
      ['cpu', 'memory', 'pods'].includes(resource)
        ? ` --${resource} ${amount}`
        : ` --resource ${resource}=${amount}`,
    )
    .join('');
}

function judgeOffloaded(pod: Stored<Pod>): Break | undefined {
  const { name, namespace } = pod.metadata;
  const { status = {} } = pod;
  const describe = `kubectl describe pod ${name} -n ${namespace}`;
  if (status.reason !== undefined && !hasStarted(status)) {
    const evidence = status.message ?? 'the provider does not have it';
    return broken(status.reason, evidence, describe, { mayFollow: true });
  }
  const waiting = status.containerStatuses?.find(({ state }) => state?.waiting)?.state?.waiting;
  if (status.phase === 'Pending' || waiting) {
    const evidence = waiting?.message ?? waiting?.reason ?? 'the provider has not started it yet';
    return broken(waiting?.reason ?? 'Pending', evidence, describe, { mayFollow: true });
  }
  const ready = findCondition(status.conditions, 'Ready');
  if (ready?.status === 'True') return undefined;
  const evidence = ready?.message ?? 'it is not Ready';
  return broken(ready?.reason ?? 'NotReady', evidence, describe, { mayFollow: true });
}

function judgePlacement({ metadata, spec, status }: Stored<Pod>): Break | undefined {
  const { name, namespace } = metadata;
  if (!tolerates(spec?.tolerations, virtualNodeTaint)) {
    const evidence = `it does not tolerate virtual nodes: it was created before its namespace was offloaded, or while the webhook was not running${place(spec?.nodeName)}`;
    const command = `kubectl delete pod ${name} -n ${namespace}`;
    return broken('NoToleration', evidence, command, { mayFollow: true });
  }
  if (spec?.nodeName) {
    const evidence = `the scheduler has bound it to the Node "${spec.nodeName}", which is not virtual`;
    const command = `liqoctl offload namespace ${namespace} --pod-offloading-strategy Remote`;
    return broken('ScheduledLocally', evidence, command, { mayFollow: true });
  }
  const scheduled = findCondition(status?.conditions, 'PodScheduled');
  const { reason = 'NotScheduled', message = 'the scheduler has not bound it to a Node yet' } =
    scheduled ?? {};
  const command = `kubectl describe pod ${name} -n ${namespace}`;
  return broken(reason, message, command, { mayFollow: true });
}

function place(nodeName: string | undefined): string {
  return nodeName ? `; it is on the Node "${nodeName}"` : '';
}
