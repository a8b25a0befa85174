import { type Deployment, deepEqual, type ReplicaSet, type Stored } from '@liqo/kube';
import type { PodTemplateSpec } from 'kubernetes-types/core/v1.d.ts';
import { forgeControllerReference } from '../owner-reference.ts';
import { hashTemplate } from '../pod-template.ts';
import { maxSurge } from './rolling-limits.ts';

const templateHashLabel = 'pod-template-hash';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';

/** What stays with the Deployment when its annotations are copied to a ReplicaSet. */
const annotationsNotCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
]);

export type Annotations = Readonly<Record<string, string>>;

export interface History {
  /** The one of the present template. */
  readonly current: Stored<ReplicaSet> | undefined;
  readonly old: readonly Stored<ReplicaSet>[];
}

export function splitHistory(
  deployment: Deployment,
  replicaSets: readonly Stored<ReplicaSet>[],
): History {
  const sorted = replicaSets.toSorted(byCreation);
  const current = sorted.find(({ spec }) =>
    isSameTemplate(spec?.template, deployment.spec?.template),
  );
  return { current, old: sorted.filter((one) => one !== current) };
}

export function byCreation(a: Stored<ReplicaSet>, b: Stored<ReplicaSet>): number {
  const [one, other] = [a.metadata, b.metadata];
  if (one.creationTimestamp !== other.creationTimestamp) {
    return one.creationTimestamp < other.creationTimestamp ? -1 : 1;
  }
  return one.name < other.name ? -1 : 1;
}

export function revisionOf(object: ReplicaSet): number {
  return Number(object.metadata?.annotations?.[revisionAnnotation] ?? 0) || 0;
}

export function nextRevision(old: readonly ReplicaSet[]): number {
  return Math.max(0, ...old.map(revisionOf)) + 1;
}

/** The ReplicaSet for the present template, named after the template's hash. */
export function forgeReplicaSet(
  deployment: Stored<Deployment>,
  replicas: number,
  revision: number,
): ReplicaSet {
  const { namespace, name } = deployment.metadata;
  const { template = {}, selector, minReadySeconds } = deployment.spec ?? {};
  const hash = hashTemplate(template, deployment.status?.collisionCount);
  const labels = { ...template.metadata?.labels, [templateHashLabel]: hash };
  const matchLabels = { ...selector?.matchLabels, [templateHashLabel]: hash };
  const annotations = annotationsFor(deployment, {}, revision);
  return {
    metadata: {
      ...(namespace && { namespace }),
      name: `${name}-${hash}`,
      labels,
      annotations: { ...annotations, ...replicasAnnotations(deployment) },
      ownerReferences: [forgeControllerReference(deployment)],
    },
    spec: {
      replicas,
      ...(minReadySeconds && { minReadySeconds }),
      selector: { ...selector, matchLabels },
      template: { ...template, metadata: { ...template.metadata, labels } },
    },
  };
}

/** The annotations of the current ReplicaSet: those of the Deployment, and which revisions it has been. */
export function annotationsFor(
  deployment: Deployment,
  present: Annotations,
  revision: number,
): Annotations {
  const copied = Object.entries(deployment.metadata?.annotations ?? {}).filter(
    ([key]) => !annotationsNotCopied.has(key),
  );
  const annotations = { ...present, ...Object.fromEntries(copied) };
  const before = present[revisionAnnotation];
  if (Number(before ?? 0) >= revision) return annotations;
  const history = [present[revisionHistoryAnnotation], before].filter(Boolean).join(',');
  return {
    ...annotations,
    [revisionAnnotation]: String(revision),
    ...(before !== undefined && { [revisionHistoryAnnotation]: shortenHistory(history) }),
  };
}

const longestHistory = 2000;

function shortenHistory(history: string): string {
  if (history.length <= longestHistory) return history;
  return shortenHistory(history.slice(history.indexOf(',') + 1));
}

/** How large the Deployment was when the ReplicaSet was last sized: tells a scaling from a rollout later. */
export function replicasAnnotations(deployment: Deployment): Annotations {
  const desired = deployment.spec?.replicas ?? 1;
  return {
    [desiredReplicasAnnotation]: String(desired),
    [maxReplicasAnnotation]: String(desired + maxSurge(deployment)),
  };
}

export function isSameTemplate(
  a: PodTemplateSpec | undefined,
  b: PodTemplateSpec | undefined,
): boolean {
  return deepEqual(withoutHash(a), withoutHash(b));
}

function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec {
  const { [templateHashLabel]: _, ...labels } = template?.metadata?.labels ?? {};
  const { labels: __, ...metadata } = template?.metadata ?? {};
  return { ...template, metadata: { ...dropNulls(metadata), labels } };
}

/** Servers may write `creationTimestamp: null` into templates. */
function dropNulls(metadata: object): object {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
}
