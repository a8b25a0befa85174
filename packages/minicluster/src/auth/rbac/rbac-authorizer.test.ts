import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import { Store } from '../../store/store.ts';
import type { User } from '../user.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

const group = 'rbac.authorization.k8s.io';

class Policy {
  readonly store = new Store();
  readonly rbac = new RbacAuthorizer(this.store);

  put(plural: string, key: string, object: object): void {
    const collection = this.store.collection(`${plural}.${group}`);
    const [namespace, name = key] = key.includes('/') ? key.split('/') : [undefined, key];
    const metadata = { name, ...(namespace && { namespace }) };
    collection.put(key, collection.get(key), { metadata, ...object } as KubeObject);
  }

  remove(plural: string, key: string): void {
    const collection = this.store.collection(`${plural}.${group}`);
    const item = collection.get(key);
    if (item) collection.remove(key, item);
  }

  ask(user: Partial<User>, namespace = 'shop', verb = 'get') {
    const resource = { group: '', plural: 'pods', subresource: '', namespace, name: '' };
    const who = { name: 'jane', groups: [], extra: {}, ...user };
    return this.rbac.authorize({ user: who, verb, resource, path: '' });
  }
}

const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const bound = (kind: string, subjects: object[]) => ({
  roleRef: { kind, name: 'reader' },
  subjects,
});
const jane = { kind: 'User', name: 'jane' };

function policyOf(subjects: object[]): Policy {
  const policy = new Policy();
  policy.put('roles', 'shop/reader', { rules });
  policy.put('rolebindings', 'shop/readers', bound('Role', subjects));
  return policy;
}

test('authorize() says by which binding it allows', () => {
  expect(policyOf([jane]).ask({})).toEqual({
    allowed: true,
    reason: 'RBAC: allowed by RoleBinding "readers/shop" of Role "reader" to User "jane"',
  });
});

test('authorize() allows in the namespace of a RoleBinding only', () => {
  const policy = policyOf([jane]);
  expect(policy.ask({}, 'other')).toEqual({ allowed: false, reason: '' });
  expect(policy.ask({}, '')).toEqual({ allowed: false, reason: '' });
});

test('authorize() allows everywhere by a ClusterRoleBinding', () => {
  const policy = new Policy();
  policy.put('clusterroles', 'reader', { rules });
  policy.put(
    'clusterrolebindings',
    'readers',
    bound('ClusterRole', [{ kind: 'Group', name: 'team' }]),
  );
  for (const namespace of ['', 'shop', 'other']) {
    expect(policy.ask({ groups: ['team'] }, namespace).reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "team"',
    );
  }
  expect(policy.ask({ groups: ['another'] }).allowed).toBe(false);
});

test('authorize() takes a ServiceAccount to be of the namespace of its binding unless it says otherwise', () => {
  const policy = policyOf([
    { kind: 'ServiceAccount', name: 'robot' },
    { kind: 'ServiceAccount', namespace: 'other', name: 'robot' },
  ]);
  expect(policy.ask({ name: 'system:serviceaccount:shop:robot' }).reason).toContain(
    'to ServiceAccount "robot/shop"',
  );
  expect(policy.ask({ name: 'system:serviceaccount:other:robot' }).reason).toContain(
    'to ServiceAccount "robot/other"',
  );
  expect(policy.ask({ name: 'robot' }).allowed).toBe(false);
});

test('authorize() does not take a user for a group of the name', () => {
  expect(policyOf([{ kind: 'Group', name: 'jane' }]).ask({}).allowed).toBe(false);
});

test('authorize() follows every change of policy at once', () => {
  const policy = policyOf([jane]);
  expect(policy.ask({}).allowed).toBe(true);
  policy.put('roles', 'shop/reader', { rules: [] });
  expect(policy.ask({}).allowed).toBe(false);
  policy.put('roles', 'shop/reader', { rules });
  policy.put('rolebindings', 'shop/readers', bound('Role', [{ kind: 'User', name: 'john' }]));
  expect(policy.ask({}).allowed).toBe(false);
  expect(policy.ask({ name: 'john' }).allowed).toBe(true);
  policy.remove('rolebindings', 'shop/readers');
  expect(policy.ask({ name: 'john' }).allowed).toBe(false);
});

test('authorize() finds its way when the store has forgotten what happened', () => {
  const policy = policyOf([jane]);
  expect(policy.ask({}).allowed).toBe(true);
  policy.put('rolebindings', 'shop/others', bound('Role', [{ kind: 'User', name: 'john' }]));
  policy.remove('rolebindings', 'shop/readers');
  policy.store.compact();
  expect(policy.ask({}).allowed).toBe(false);
  expect(policy.ask({ name: 'john' }).allowed).toBe(true);
});

test('authorize() tells of bound roles that are not there', () => {
  const policy = policyOf([jane]);
  policy.remove('roles', 'shop/reader');
  expect(policy.ask({})).toEqual({
    allowed: false,
    reason: `RBAC: role.${group} "reader" not found`,
  });
  policy.put('rolebindings', 'shop/more', bound('ClusterRole', [jane]));
  expect(policy.ask({}).reason).toBe(
    `RBAC: [role.${group} "reader" not found, clusterrole.${group} "reader" not found]`,
  );
});

test('rulesFor() lists the rules of a binding once, however often it names the user', () => {
  const policy = policyOf([jane, { kind: 'Group', name: 'team' }]);
  const user = { name: 'jane', groups: ['team'], extra: {} };
  expect(policy.rbac.rulesFor(user, 'shop')).toEqual({ rules, errors: [] });
  expect(policy.rbac.rulesFor(user, '')).toEqual({ rules: [], errors: [] });
});
