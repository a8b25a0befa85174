import { labels, labelValues, virtualNodeToleration } from '@liqo/api';
import type { Deployment, Job, Pod } from '@liqo/kube';
import type { Where, Work } from './step.ts';

interface Target {
  readonly namespace: string;
  readonly name: string;
}

type Template = NonNullable<NonNullable<Deployment['spec']>['template']>;

const simulated = 'minicluster.liqo-ts.dev';

/** What the played containers of a pod do. */
function conduct(work: Work): Record<string, string> {
  if (work === 'forever') return {};
  const end = { [`${simulated}/run-for`]: '20s' };
  return work === 'fails' ? { ...end, [`${simulated}/exit-code`]: '3' } : end;
}

/** A restartable init container: it runs beside the main one. */
const sidecars = [
  {
    name: 'side',
    image: 'side:1',
    restartPolicy: 'Always',
    resources: { requests: { cpu: '10m' } },
  },
];

function specFor(where: Where, hasSidecar = false): NonNullable<Template['spec']> {
  return {
    ...(hasSidecar && { initContainers: sidecars }),
    terminationGracePeriodSeconds: 5,
    tolerations: [{ ...virtualNodeToleration }],
    containers: [{ name: 'main', image: 'main:1', resources: { requests: { cpu: '10m' } } }],
    ...(where === 'away' && { nodeSelector: { [labels.type]: labelValues.virtualNode } }),
  };
}

export function forgeDeployment(
  metadata: Target,
  { replicas, where, sidecar }: { replicas: number; where: Where; sidecar?: boolean },
): Deployment {
  const app = { app: metadata.name };
  const template = { metadata: { labels: app }, spec: specFor(where, sidecar) };
  return { metadata, spec: { replicas, selector: { matchLabels: app }, template } };
}

export function forgePod(metadata: Target, work: Work, sidecar?: boolean): Pod {
  const spec = specFor('away', sidecar);
  const restartPolicy = work === 'forever' ? 'Always' : 'Never';
  return {
    metadata: { ...metadata, annotations: conduct(work) },
    spec: { ...spec, restartPolicy },
  };
}

export function forgeJob(metadata: Target, work: Work): Job {
  const spec = { ...specFor('away'), restartPolicy: 'Never' };
  const template = { metadata: { annotations: conduct(work) }, spec };
  return { metadata, spec: { backoffLimit: 1, template } };
}
