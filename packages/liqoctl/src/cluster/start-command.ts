import type { Deployment } from '@liqo/kube';

/** Starts a Deployment that has been scaled down; otherwise shows what its pods report. */
export function startCommand({ metadata, spec }: Deployment): string {
  const { name, namespace } = metadata ?? {};
  if (spec?.replicas === 0) return `kubectl scale deployment ${name} -n ${namespace} --replicas=1`;
  const { matchLabels = {} } = spec?.selector ?? {};
  const terms = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const selected = terms.length > 0 ? ` -l ${terms.join(',')}` : '';
  return `kubectl describe pods -n ${namespace}${selected}`;
}
