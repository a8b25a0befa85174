import { badRequest } from '../rest/refusal.ts';
import type { Access, Authorizer } from './access.ts';
import { refuseUnlessAllowed } from './refuse-access.ts';
import { splitHeader } from './repeated-headers.ts';
import { parseServiceAccountUserName, serviceAccountGroups } from './service-account-user.ts';
import { anonymousName, asAuthenticated, type User, unauthenticatedGroup } from './user.ts';

/** One thing about another user that a request takes on. */
interface Claim {
  readonly kind: 'User' | 'ServiceAccount' | 'Group' | 'UserExtra' | 'UID';
  readonly name: string;
  /** Of a service account. */
  readonly namespace?: string;
  /** Of an extra. */
  readonly key?: string;
}

type Headers = Readonly<Record<string, string>>;

const authenticationGroup = 'authentication.k8s.io';
const prefix = 'impersonate-';
const extraPrefix = `${prefix}extra-`;

/** Whom a request acts as: the user its headers name, if the sender may act as them in every respect; or the sender. */
export function impersonate(sender: User, headers: Headers, authorizer: Authorizer): User {
  const claims = claimsAnything(headers) ? readClaims(headers) : [];
  if (claims.length === 0) return sender;
  if (!claims.some(({ kind }) => kind === 'User' || kind === 'ServiceAccount')) {
    const told = claims.map(describeClaim).join(' ');
    throw badRequest(`requested [${told}] without impersonating a user`);
  }
  for (const claim of claims) refuseUnlessAllowed(authorizer, accessFor(sender, claim));
  return takeOn(headers, claims);
}

/** Hardly any request does. */
function claimsAnything(headers: Headers): boolean {
  for (const header in headers) if (header.startsWith(prefix)) return true;
  return false;
}

function readClaims(headers: Headers): Claim[] {
  const name = headers['impersonate-user'];
  const uid = headers['impersonate-uid'];
  const groups = splitHeader(headers['impersonate-group']);
  return [
    ...(name ? [claimUser(name)] : []),
    ...groups.map((group): Claim => ({ kind: 'Group', name: group })),
    ...Object.entries(headers).flatMap(([header, value]) => claimExtras(header, value)),
    ...(uid ? [{ kind: 'UID', name: uid } as const] : []),
  ];
}

function claimUser(name: string): Claim {
  const account = parseServiceAccountUserName(name);
  return account ? { kind: 'ServiceAccount', ...account } : { kind: 'User', name };
}

function claimExtras(header: string, value: string): Claim[] {
  if (!header.startsWith(extraPrefix)) return [];
  const key = unescapeKey(header.slice(extraPrefix.length));
  return splitHeader(value).map((name) => ({ kind: 'UserExtra', name, key }));
}

/** Keys can have characters that headers cannot. A malformed one is taken as it is. */
function unescapeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

const resourcesOfClaims = {
  User: { group: '', plural: 'users' },
  ServiceAccount: { group: '', plural: 'serviceaccounts' },
  Group: { group: '', plural: 'groups' },
  UserExtra: { group: authenticationGroup, plural: 'userextras' },
  UID: { group: authenticationGroup, plural: 'uids' },
} as const;

function accessFor(user: User, { kind, name, namespace = '', key = '' }: Claim): Access {
  const resource = { ...resourcesOfClaims[kind], subresource: key, namespace, name };
  return { user, verb: 'impersonate', resource, path: '' };
}

function takeOn(headers: Headers, claims: readonly Claim[]): User {
  const uid = headers['impersonate-uid'];
  const extra: Record<string, string[]> = {};
  for (const { key, name } of claims) {
    if (key !== undefined) extra[key] = [...(extra[key] ?? []), name];
  }
  const user = {
    name: headers['impersonate-user'] ?? '',
    ...(uid && { uid }),
    groups: groupsOf(claims),
    extra,
  };
  return user.name === anonymousName ? asUnauthenticated(user) : asAuthenticated(user);
}

/** The groups that were asked for and no others; an account without any has those of its namespace. */
function groupsOf(claims: readonly Claim[]): string[] {
  const groups = claims.filter(({ kind }) => kind === 'Group').map(({ name }) => name);
  const account = claims.find(({ kind }) => kind === 'ServiceAccount');
  if (groups.length > 0 || !account) return groups;
  return serviceAccountGroups(account.namespace ?? '');
}

function asUnauthenticated(user: User): User {
  if (user.groups.includes(unauthenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, unauthenticatedGroup] };
}

/** As Go prints the object reference that the server makes of a claim. */
function describeClaim({ kind, namespace = '', name, key = '' }: Claim): string {
  const { group } = resourcesOfClaims[kind];
  const apiVersion = group ? `${group}/v1` : '';
  return `{${kind} ${namespace} ${name}  ${apiVersion}  ${key}}`;
}
