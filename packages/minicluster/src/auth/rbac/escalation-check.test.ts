import type { KubeObject } from '@liqo/kube';
import { rejection } from '@liqo/testkit';
import type { PolicyRule } from 'kubernetes-types/rbac/v1.d.ts';
import { expect, test } from 'vitest';
import type { AdmissionAttributes } from '../../admission/admission.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Item } from '../../store/collection.ts';
import { Store } from '../../store/store.ts';
import { EscalationCheck } from './escalation-check.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

const group = 'rbac.authorization.k8s.io';
const readPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };
const readSecrets = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] };

/** Somebody who holds these rules in the whole cluster asks to write something. */
function write(held: readonly PolicyRule[], plural: string, object: object, more: object = {}) {
  const store = new Store();
  const put = (kind: string, key: string, content: object) =>
    store.collection(`${kind}.${group}`).put(key, undefined, content as KubeObject);
  put('clusterroles', 'held', { metadata: { name: 'held' }, rules: held });
  put('roles', 'shop/secrets', { metadata: { name: 'secrets' }, rules: [readSecrets] });
  put('clusterrolebindings', 'held', {
    metadata: { name: 'held' },
    roleRef: { kind: 'ClusterRole', name: 'held' },
    subjects: [{ kind: 'User', name: 'jane' }],
  });
  const rbac = new RbacAuthorizer(store);
  const attributes: AdmissionAttributes = {
    operation: 'CREATE',
    resource: { group, plural } as Resource,
    subresource: '',
    namespace: plural.startsWith('cluster') ? undefined : 'shop',
    name: 'one',
    object: { metadata: { name: 'one' }, ...object } as KubeObject,
    previous: undefined,
    options: {},
    dryRun: false,
    user: { name: 'jane', groups: ['team'], extra: {} },
    signal: new AbortController().signal,
    warn: () => undefined,
    ...more,
  };
  return new EscalationCheck(rbac, rbac).mutate(attributes);
}

const refusalOf = async (...given: Parameters<typeof write>) =>
  ((await rejection(write(...given))) as Error).message;
const missing = (plural: string, what: string) =>
  `${plural}.${group} "one" is forbidden: user "jane" (groups=["team"]) is attempting to grant RBAC permissions not currently held:\n${what}`;
const noSecrets = '{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}';
const right = (verb: string, resource: string, resourceNames?: string[]): PolicyRule => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [verb],
  ...(resourceNames && { resourceNames }),
});

test('mutate() lets a role be written by whoever holds its rights', async () => {
  const role = { rules: [readPods] };
  expect(await write([readPods], 'roles', role)).toMatchObject(role);
  expect(await refusalOf([readPods], 'roles', { rules: [readPods, readSecrets] })).toBe(
    missing('roles', noSecrets),
  );
});

test('mutate() lets any role be written by whoever may escalate', async () => {
  const role = { rules: [readSecrets] };
  expect(await write([right('escalate', 'roles')], 'roles', role)).toBeDefined();
  expect(await refusalOf([right('escalate', 'roles', ['one'])], 'roles', role)).toBe(
    missing('roles', noSecrets),
  );
  const previous = { metadata: { name: 'one' }, rules: [] } as unknown as Item;
  const update = { operation: 'UPDATE', previous };
  expect(await write([right('escalate', 'roles', ['one'])], 'roles', role, update)).toBeDefined();
});

test('mutate() lets masters do as they like', async () => {
  const user = { name: 'root', groups: ['system:masters'], extra: {} };
  expect(await write([], 'clusterroles', { rules: [readSecrets] }, { user })).toBeDefined();
});

test('mutate() asks for everything of whoever aggregates', async () => {
  const role = { aggregationRule: { clusterRoleSelectors: [{}] } };
  expect(await refusalOf([readPods], 'clusterroles', role)).toBe(
    `clusterroles.${group} "one" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
  );
  const everything = [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ];
  expect(await write(everything, 'clusterroles', role)).toBeDefined();
});

test('mutate() lets owners and finalizers of a wider role change, and nothing else of it', async () => {
  const previous = { metadata: { name: 'one', finalizers: ['a'] }, rules: [readSecrets] };
  const update = { operation: 'UPDATE', previous };
  expect(await write([], 'roles', { rules: [readSecrets] }, update)).toBeDefined();
  const labelled = { metadata: { name: 'one', labels: { a: 'b' } }, rules: [readSecrets] };
  expect(await refusalOf([], 'roles', labelled, update)).toBe(missing('roles', noSecrets));
});

const toRole = (name: string) => ({ roleRef: { apiGroup: group, kind: 'Role', name } });

test('mutate() lets a role be bound by whoever holds its rights, or may bind it', async () => {
  const binding = toRole('secrets');
  expect(await write([readSecrets], 'rolebindings', binding)).toBeDefined();
  expect(await write([right('bind', 'roles', ['secrets'])], 'rolebindings', binding)).toBeDefined();
  expect(await refusalOf([right('bind', 'roles', ['other'])], 'rolebindings', binding)).toBe(
    missing('rolebindings', noSecrets),
  );
});

test('mutate() does not find a role to bind that is not there', async () => {
  expect(await refusalOf([readPods], 'rolebindings', toRole('absent'))).toBe(
    `rolebindings.${group} "absent" not found`,
  );
});

test('mutate() has nothing to say about other resources, and about deletions', async () => {
  const other = { resource: { group: '', plural: 'pods' } as Resource };
  expect(await write([], 'roles', { rules: [readSecrets] }, other)).toBeDefined();
  const deletion = { operation: 'DELETE', object: undefined };
  expect(await write([], 'roles', {}, deletion)).toBeUndefined();
});
