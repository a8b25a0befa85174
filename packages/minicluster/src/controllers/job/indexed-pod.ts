import type { Job, Pod } from '@liqo/kube';
import type { Container } from 'kubernetes-types/core/v1.d.ts';

/** The name of an annotation, and of a label. */
const indexKey = 'batch.kubernetes.io/job-completion-index';
const variableName = 'JOB_COMPLETION_INDEX';
/** Names that are made up end in five letters, and have 63 at most. */
const longestPrefix = 58;

export function isIndexed({ spec }: Job): boolean {
  return spec?.completionMode === 'Indexed';
}

/** The index that the pod is to complete; undefined if it has none that the job knows. */
export function completionIndexOf({ metadata }: Pod, completions: number): number | undefined {
  const text = metadata?.annotations?.[indexKey] ?? '';
  const index = /^\d+$/.test(text) ? Number(text) : completions;
  return index < completions ? index : undefined;
}

/** The prefix of the names of the pods with an index. */
export function indexedName(jobName: string, index: number): string {
  const suffix = `-${index}-`;
  return jobName.slice(0, longestPrefix - suffix.length) + suffix;
}

/** Tells a pod of a job which index it has: by annotation, label, host name and environment. More may be annotated. */
export function withIndex(
  pod: Pod,
  jobName: string,
  index: number,
  annotations: Readonly<Record<string, string>> = {},
): Pod {
  const { containers = [], initContainers, ...spec } = pod.spec ?? {};
  const own = { [indexKey]: String(index) };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      annotations: { ...pod.metadata?.annotations, ...own, ...annotations },
      labels: { ...pod.metadata?.labels, ...own },
    },
    spec: {
      ...spec,
      containers: containers.map(withVariable),
      ...(initContainers && { initContainers: initContainers.map(withVariable) }),
      hostname: `${jobName}-${index}`,
    },
  };
}

function withVariable(container: Container): Container {
  const { env = [] } = container;
  if (env.some(({ name }) => name === variableName)) return container;
  const fieldPath = `metadata.labels['${indexKey}']`;
  return {
    ...container,
    env: [...env, { name: variableName, valueFrom: { fieldRef: { fieldPath } } }],
  };
}
