import { type DaemonSet, matchesNodeSelector, type Node, type Pod, type Stored } from '@liqo/kube';
import type { PodSpec, PodTemplateSpec, Toleration } from 'kubernetes-types/core/v1.d.ts';
import { tolerates } from '../node-lifecycle/taints.ts';
import { forgePod } from '../pod-template.ts';

export const hashLabel = 'controller-revision-hash';
const generationAnnotation = 'deprecated.daemonset.template.generation';

/** What a pod that belongs on every node puts up with. */
function addedTolerations(spec: PodSpec | undefined): readonly Toleration[] {
  const tolerate = (name: string, effect: string) => ({
    key: `node.kubernetes.io/${name}`,
    operator: 'Exists',
    effect,
  });
  return [
    tolerate('not-ready', 'NoExecute'),
    tolerate('unreachable', 'NoExecute'),
    tolerate('disk-pressure', 'NoSchedule'),
    tolerate('memory-pressure', 'NoSchedule'),
    tolerate('pid-pressure', 'NoSchedule'),
    tolerate('unschedulable', 'NoSchedule'),
    ...(spec?.hostNetwork ? [tolerate('network-unavailable', 'NoSchedule')] : []),
  ];
}

function tolerationsOf(spec: PodSpec | undefined): Toleration[] {
  const own = spec?.tolerations ?? [];
  const isNew = (added: Toleration) =>
    !own.some(({ key, effect }) => key === added.key && effect === added.effect);
  return [...own, ...addedTolerations(spec).filter(isNew)];
}

export interface NodeFit {
  readonly shouldRun: boolean;
  /** A pod that is there already may stay, although no new one would come. */
  readonly mayStay: boolean;
}

export function fitNode(template: PodTemplateSpec | undefined, node: Stored<Node>): NodeFit {
  const { spec } = template ?? {};
  if (!isSelected(spec, node)) return { shouldRun: false, mayStay: false };
  const tolerations = tolerationsOf(spec);
  const untolerated = (node.spec?.taints ?? []).filter(
    (taint) => !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
  const has = (effect: string) => untolerated.some((taint) => taint.effect === effect);
  const mayStay = !has('NoExecute');
  return { shouldRun: mayStay && !has('NoSchedule'), mayStay };
}

function isSelected(spec: PodSpec | undefined, node: Stored<Node>): boolean {
  const { nodeName, nodeSelector = {}, affinity } = spec ?? {};
  if (nodeName && nodeName !== node.metadata.name) return false;
  const { labels = {} } = node.metadata;
  const isLabelled = Object.entries(nodeSelector).every(([key, value]) => labels[key] === value);
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return isLabelled && (!required || matchesNodeSelector(required, node));
}

/** A pod for one node. The scheduler puts it there: it is bound by affinity, not by name. */
export function forgeDaemonPod(set: Stored<DaemonSet>, nodeName: string, hash: string): Pod {
  const pod = forgePod(set.spec?.template ?? {}, set, { generateName: `${set.metadata.name}-` });
  const generation = set.metadata.annotations?.[generationAnnotation];
  const { containers = [], ...spec } = pod.spec ?? {};
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata?.labels,
        ...(generation && { 'pod-template-generation': generation }),
        [hashLabel]: hash,
      },
    },
    spec: {
      ...spec,
      containers,
      tolerations: tolerationsOf(pod.spec),
      affinity: pinnedTo(nodeName, pod.spec?.affinity),
    },
  };
}

function pinnedTo(nodeName: string, affinity: PodSpec['affinity']) {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }];
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  };
}

/** The node that a pod is on, or meant for. */
export function nodeOf(pod: Pod): string | undefined {
  if (pod.spec?.nodeName) return pod.spec.nodeName;
  const required = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required?.nodeSelectorTerms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator }) => key === 'metadata.name' && operator === 'In')?.values?.[0];
}
