import {
  type Client,
  ClusterRole,
  ClusterRoleBinding,
  defineKind,
  isForbidden,
  type KubeObject,
  Role,
  RoleBinding,
  SubjectAccessReview,
  type TokenReview,
} from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { freshNamespace, type GetSubjectWithUsers, type Subject } from './subject.ts';

export type PolicyRule = NonNullable<ClusterRole['rules']>[number];
export type RoleSubject = NonNullable<ClusterRoleBinding['subjects']>[number];
export type UserInfo = NonNullable<NonNullable<TokenReview['status']>['user']>;

const rbac = 'rbac.authorization.k8s.io';

/** Suites may run on the same cluster more than once: nobody is called as anybody was before. */
export function fresh(name: string): string {
  return `${name}-${crypto.randomUUID().slice(0, 8)}`;
}

/** Lets a user do something in one namespace, or everywhere, and waits until the server knows. */
export async function grant(
  { client }: Subject,
  user: string,
  rules: PolicyRule[],
  namespace?: string,
): Promise<string> {
  const name = fresh('granted');
  const subjects = [{ kind: 'User', apiGroup: rbac, name: user }];
  if (namespace) {
    await client.create(Role, { metadata: { namespace, name }, rules });
    const roleRef = { apiGroup: rbac, kind: 'Role', name };
    await client.create(RoleBinding, { metadata: { namespace, name }, subjects, roleRef });
  } else {
    await client.create(ClusterRole, { metadata: { name }, rules });
    await bindClusterRole(client, name, subjects);
  }
  for (const rule of rules) await untilAllowed(client, user, rule, namespace);
  return name;
}

/** A ClusterRoleBinding of the role's own name. */
export async function bindClusterRole(
  client: Client,
  name: string,
  subjects: RoleSubject[],
): Promise<void> {
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name };
  await client.create(ClusterRoleBinding, { metadata: { name: fresh(name) }, subjects, roleRef });
}

/** Servers learn of changed rights a moment later. */
async function untilAllowed(
  client: Client,
  user: string,
  rule: PolicyRule,
  namespace: string | undefined,
): Promise<void> {
  const [verb = ''] = rule.verbs;
  const [path] = rule.nonResourceURLs ?? [];
  const [group = ''] = rule.apiGroups ?? [];
  const [combined = ''] = rule.resources ?? [];
  const [name = ''] = rule.resourceNames ?? [];
  const [resource = '', subresource = ''] = combined.split('/');
  const attributes = { verb, group, resource, subresource, name };
  const spec = path
    ? { user, nonResourceAttributes: { verb, path } }
    : { user, resourceAttributes: { ...attributes, ...(namespace && { namespace }) } };
  await eventually(async () => {
    const { status } = await client.create(SubjectAccessReview, { spec });
    expect(status?.allowed).toBe(true);
  });
}

interface SelfSubjectReview extends KubeObject {
  readonly status?: { readonly userInfo?: UserInfo };
}
const SelfSubjectReview = defineKind<SelfSubjectReview>({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'SelfSubjectReview',
  plural: 'selfsubjectreviews',
  scope: 'Cluster',
});

/** Who the server takes a client for. */
export async function whoAmI(client: Client): Promise<UserInfo> {
  const { status } = await client.create(SelfSubjectReview, {});
  return status?.userInfo ?? {};
}

/** The same, for a request with headers of its own. */
export async function whoAmIWith(
  client: Client,
  headers: Readonly<Record<string, string>>,
): Promise<UserInfo> {
  const response = await client.raw({
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
  });
  const review: SelfSubjectReview = JSON.parse(await response.text());
  return review.status?.userInfo ?? {};
}

/** The words in which something is refused to somebody who may not do it. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const error = await rejection(promise);
  expect(isForbidden(error)).toBe(true);
  return (error as Error).message;
}

/** Somebody with these rights, in a namespace of their own or everywhere. */
export async function makeUser(
  subject: GetSubjectWithUsers,
  rights: PolicyRule[],
  options: { readonly everywhere?: boolean } = {},
) {
  const namespace = await freshNamespace(subject());
  const name = fresh('user');
  const granted = await grant(subject(), name, rights, options.everywhere ? undefined : namespace);
  return { namespace, name, granted, client: await subject().as({ name, groups: ['team'] }) };
}
