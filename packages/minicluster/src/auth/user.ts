/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** May do anything, whatever the policy says. */
export const mastersGroup = 'system:masters';
const authenticatedGroup = 'system:authenticated';
export const unauthenticatedGroup = 'system:unauthenticated';
export const anonymousName = 'system:anonymous';

/** The key of `extra` that says by which credential the user was recognised. */
export const credentialIdKey = 'authentication.kubernetes.io/credential-id';

/** Everybody whose credentials were good is in this group, unless they came with the opposite one. */
export function asAuthenticated(user: User): User {
  const { groups } = user;
  if (groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup)) return user;
  return { ...user, groups: [...groups, authenticatedGroup] };
}
