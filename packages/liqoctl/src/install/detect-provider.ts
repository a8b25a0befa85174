import type { Node } from '@liqo/kube';

/** What runs a Kubernetes, as `liqoctl install` of Liqo names it. */
export const providers = ['aks', 'eks', 'gke', 'k3s', 'kind', 'kubeadm', 'openshift'] as const;

export type Provider = (typeof providers)[number];

/** The first mark that fits decides; nothing is known without one. */
export function detectProvider(
  nodes: readonly Node[],
  gitVersion: string,
  apiGroups: readonly string[],
): Provider | undefined {
  if (apiGroups.includes('config.openshift.io')) return 'openshift';
  if (/[+-]k3s/.test(gitVersion)) return 'k3s';
  if (/-gke\./.test(gitVersion)) return 'gke';
  if (/-eks-/.test(gitVersion)) return 'eks';
  const [first] = nodes;
  const id = first?.spec?.providerID ?? '';
  const marks = Object.keys(first?.metadata?.labels ?? {});
  if (id.startsWith('kind://')) return 'kind';
  if (id.startsWith('azure://') || marks.includes('kubernetes.azure.com/cluster')) return 'aks';
  if (id.startsWith('aws://')) return 'eks';
  if (id.startsWith('gce://')) return 'gke';
  const annotated = Object.keys(first?.metadata?.annotations ?? {});
  return annotated.some((key) => key.startsWith('kubeadm.alpha.kubernetes.io/'))
    ? 'kubeadm'
    : undefined;
}

/** The ranges of pods where Nodes do not name them, by the defaults of the provider. */
export function podRangesOf(nodes: readonly Node[], provider: Provider | undefined) {
  const named = nodes.some(({ spec }) => spec?.podCIDR || spec?.podCIDRs?.length);
  if (named) return [];
  return provider === 'k3s' ? ['10.42.0.0/16'] : provider === 'openshift' ? ['10.128.0.0/14'] : [];
}
