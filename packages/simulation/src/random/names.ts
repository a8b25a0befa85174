import { defaultRemoteNamespaceName, tenantNamespaceName } from '@liqo/api';

/** Few names, so that things meet. */
export const home = 'rome';
export const providers = ['milan', 'turin'] as const;
export const virtualNodes = ['v1', 'v2'] as const;
export const namespaces = ['shop', 'bank'] as const;
export const deployments = ['web', 'api'] as const;
export const singles = ['one', 'two'] as const;

/** The clusters of a story. Of two, one lends to the other; of three, two do. */
export const smallCast: readonly string[] = [home, providers[0]];
export const largeCast: readonly string[] = [home, ...providers];

/** In a small world both virtual nodes are of one provider; in a large one each has its own. */
export function providerOf(node: string, clusters: ReadonlyMap<string, unknown>): string {
  const [first, second] = providers;
  return node === virtualNodes[1] && clusters.has(second) ? second : first;
}

/** Where the virtual node is, with what belongs to it. */
export function tenantNamespaceOf(node: string, clusters: ReadonlyMap<string, unknown>): string {
  return tenantNamespaceName(providerOf(node, clusters));
}

export function remoteName(namespace: string, naming: string): string {
  if (naming === 'EnforceSameName') return namespace;
  if (naming === 'SelectedName') return `${namespace}-chosen`;
  return defaultRemoteNamespaceName(namespace, home);
}

export function credentialsOf(node: string): string {
  return `kubeconfig-${node}`;
}
