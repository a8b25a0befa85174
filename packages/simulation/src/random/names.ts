import { defaultRemoteNamespaceName, tenantNamespaceName } from '@liqo/api';

/** Few names, so that things meet. */
export const home = 'rome';
export const provider = 'milan';
export const virtualNodes = ['v1', 'v2'] as const;
export const namespaces = ['shop', 'bank'] as const;
export const deployments = ['web', 'api'] as const;
export const singles = ['one', 'two'] as const;

export const tenantNamespace = tenantNamespaceName(provider);
export const providerMachine = `${provider}-2`;

export function remoteName(namespace: string, naming: string): string {
  if (naming === 'EnforceSameName') return namespace;
  if (naming === 'SelectedName') return `${namespace}-chosen`;
  return defaultRemoteNamespaceName(namespace, home);
}

export function credentialsOf(node: string): string {
  return `kubeconfig-${node}`;
}
