import type { User } from './user.ts';

interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

const prefix = 'system:serviceaccount:';
const label = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const userNamePattern = new RegExp(`^${prefix}(${label}):(${label}(?:\\.${label})*)$`);

export function serviceAccountUserName({ namespace, name }: ServiceAccountName): string {
  return `${prefix}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): string[] {
  return ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
}

/** The account that a user name stands for; undefined for any other user. */
export function parseServiceAccountUserName(userName: string): ServiceAccountName | undefined {
  const [, namespace, name] = userNamePattern.exec(userName) ?? [];
  return namespace && name ? { namespace, name } : undefined;
}

/** The account as the user it is. Controllers of a stock cluster are accounts of `kube-system`. */
export function serviceAccountUser(account: ServiceAccountName, uid?: string): User {
  return {
    name: serviceAccountUserName(account),
    ...(uid !== undefined && { uid }),
    groups: serviceAccountGroups(account.namespace),
    extra: {},
  };
}
