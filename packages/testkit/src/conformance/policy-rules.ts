import {
  ConfigMap,
  isNotFound,
  Pod,
  Role,
  RoleBinding,
  Secret,
  ServiceAccount,
  SubjectAccessReview,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { fresh, grant, makeUser, refusalOf } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

const rbac = 'rbac.authorization.k8s.io';

/** What the rules of roles allow, and in which words everything else is refused. */
export function policyRules(subject: GetSubjectWithUsers): void {
  describe('policy rules', () => {
    refusals(subject);
    rules(subject);
  });
}

function refusals(subject: GetSubjectWithUsers): void {
  test.each([
    [
      'GET',
      '/api/v1/namespaces/shop/pods',
      'pods',
      'list resource "pods" in API group "" in the namespace "shop"',
    ],
    [
      'GET',
      '/api/v1/pods?watch=1',
      'pods',
      'watch resource "pods" in API group "" at the cluster scope',
    ],
    [
      'GET',
      '/api/v1/nodes/one',
      'nodes "one"',
      'get resource "nodes" in API group "" at the cluster scope',
    ],
    [
      'GET',
      '/api/v1/namespaces/shop',
      'namespaces "shop"',
      'get resource "namespaces" in API group "" in the namespace "shop"',
    ],
    [
      'GET',
      '/api/v1/namespaces/shop/pods/one/log',
      'pods "one"',
      'get resource "pods/log" in API group "" in the namespace "shop"',
    ],
    [
      'GET',
      '/apis/apps/v1/deployments',
      'deployments.apps',
      'list resource "deployments" in API group "apps" at the cluster scope',
    ],
    [
      'GET',
      '/api/v1/pods?fieldSelector=metadata.name%3Done',
      'pods "one"',
      'list resource "pods" in API group "" at the cluster scope',
    ],
    [
      'POST',
      '/api/v1/namespaces/shop/pods',
      'pods',
      'create resource "pods" in API group "" in the namespace "shop"',
    ],
    [
      'PUT',
      '/api/v1/namespaces/shop/pods/one',
      'pods "one"',
      'update resource "pods" in API group "" in the namespace "shop"',
    ],
    [
      'DELETE',
      '/api/v1/namespaces/shop/pods',
      'pods',
      'deletecollection resource "pods" in API group "" in the namespace "shop"',
    ],
    [
      'GET',
      '/apis/nobody.example.org/v1/things',
      'things.nobody.example.org',
      'list resource "things" in API group "nobody.example.org" at the cluster scope',
    ],
  ])('%s %s is refused to a stranger', async (method, path, what, deed) => {
    const name = fresh('stranger');
    await using stranger = await subject().as({ name, groups: [] });
    const message = await refusalOf(stranger.raw({ method, path }));
    expect(message).toBe(`${what} is forbidden: User "${name}" cannot ${deed}`);
  });

  test.each(['/metrics', '/nowhere'])('the path %s is refused to a stranger', async (path) => {
    const name = fresh('stranger');
    await using stranger = await subject().as({ name, groups: [] });
    const error = await rejection(stranger.rawJson(path));
    expect(error).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: User "${name}" cannot get path "${path}"`,
      details: {},
    });
  });

  test('a refusal names the object it is about', async () => {
    await using stranger = await subject().as({ name: fresh('stranger'), groups: [] });
    const error = await rejection(stranger.get(Role, { namespace: 'shop', name: 'one' }));
    expect(error).toMatchObject({ details: { name: 'one', group: rbac, kind: 'roles' } });
  });
}

function rules(subject: GetSubjectWithUsers): void {
  test('a Role allows its verbs on its resources in its namespace', async () => {
    const { client, namespace } = await makeUser(subject, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create'] },
    ]);
    await using user = client;
    await user.create(ConfigMap, { metadata: { namespace, name: 'one' } });
    expect(await user.get(ConfigMap, { namespace, name: 'one' })).toBeDefined();
    expect(await refusalOf(user.list(ConfigMap, { namespace }))).toContain('cannot list');
    expect(await refusalOf(user.list(Secret, { namespace }))).toContain('"secrets"');
    expect(await refusalOf(user.get(ConfigMap, { namespace: 'default', name: 'one' }))).toContain(
      'in the namespace "default"',
    );
  });

  test('a ClusterRole bound by a RoleBinding allows in that namespace only', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const name = fresh('viewer');
    const subjects = [{ kind: 'User', apiGroup: rbac, name }];
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'view' };
    await client.create(RoleBinding, { metadata: { namespace, name }, subjects, roleRef });
    await using viewer = await subject().as({ name, groups: [] });
    await eventually(() => viewer.list(Pod, { namespace }));
    expect(await refusalOf(viewer.list(Pod))).toContain('at the cluster scope');
    expect(await refusalOf(viewer.list(Secret, { namespace }))).toContain('"secrets"');
  });

  test('a ClusterRoleBinding allows everywhere', async () => {
    const rights = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    const { client, namespace } = await makeUser(subject, rights, { everywhere: true });
    await using user = client;
    await user.list(ConfigMap);
    await user.list(ConfigMap, { namespace });
  });

  test('a rule with names allows those names, also in a list that is narrowed to one', async () => {
    const { client, namespace } = await makeUser(subject, [
      {
        apiGroups: [''],
        resources: ['configmaps'],
        resourceNames: ['one'],
        verbs: ['get', 'list'],
      },
    ]);
    await using user = client;
    expect(await user.get(ConfigMap, { namespace, name: 'one' })).toBeUndefined();
    await user.list(ConfigMap, { namespace, fieldSelector: 'metadata.name=one' });
    expect(await refusalOf(user.get(ConfigMap, { namespace, name: 'two' }))).toContain('"two"');
    expect(await refusalOf(user.list(ConfigMap, { namespace }))).toContain('cannot list');
  });

  test('a subresource is another resource', async () => {
    const { client, namespace } = await makeUser(subject, [
      { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
    ]);
    await using user = client;
    expect(isNotFound(await rejection(user.logs({ namespace, name: 'absent' })))).toBe(true);
    expect(await refusalOf(user.get(Pod, { namespace, name: 'absent' }))).toContain('"pods"');
  });

  test.each([
    ['*/log', 'pods/log', true],
    ['*/log', 'pods', false],
    ['*', 'pods/log', true],
    ['pods', 'pods/log', false],
    ['pods/*', 'pods/log', false],
  ])('a rule on %s allows %s: %s', async (resource, wanted, allowed) => {
    const rule = { apiGroups: [''], resources: [resource], verbs: ['get'] };
    const { client } = subject();
    const [namespace, name] = [await freshNamespace(subject()), fresh('user')];
    await grant(subject(), name, [{ ...rule, resources: ['secrets'] }], namespace);
    const subjects = [{ kind: 'User', apiGroup: rbac, name }];
    const roleRef = { apiGroup: rbac, kind: 'Role', name };
    await client.create(Role, { metadata: { namespace, name }, rules: [rule] });
    await client.create(RoleBinding, { metadata: { namespace, name }, subjects, roleRef });
    const [plural = '', subresource = ''] = wanted.split('/');
    const resourceAttributes = { namespace, verb: 'get', resource: plural, subresource };
    await eventually(async () => {
      const review = { spec: { user: name, resourceAttributes } };
      const { status } = await client.create(SubjectAccessReview, review);
      expect(status?.allowed).toBe(allowed);
    });
  });

  test('a path with a star allows everything below', async () => {
    const rights = [{ nonResourceURLs: ['/lab/*'], verbs: ['get'] }];
    const { client } = await makeUser(subject, rights, { everywhere: true });
    await using user = client;
    expect(isNotFound(await rejection(user.rawJson('/lab/a/b')))).toBe(true);
    expect(await refusalOf(user.rawJson('/lab'))).toContain('path "/lab"');
    expect(await refusalOf(user.raw({ method: 'PUT', path: '/lab/a' }))).toContain(
      'cannot put path',
    );
  });

  test('groups and service accounts are bound as users are', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const group = fresh('team');
    const rule = { apiGroups: [''], resources: ['configmaps'], verbs: ['list'] };
    await client.create(Role, { metadata: { namespace, name: 'lister' }, rules: [rule] });
    const subjects = [
      { kind: 'Group', apiGroup: rbac, name: group },
      { kind: 'ServiceAccount', namespace, name: 'robot' },
    ];
    const roleRef = { apiGroup: rbac, kind: 'Role', name: 'lister' };
    await client.create(RoleBinding, { metadata: { namespace, name: 'all' }, subjects, roleRef });
    await client.create(ServiceAccount, { metadata: { namespace, name: 'robot' } });
    const issued = await client.createToken({ namespace, name: 'robot' }, { audiences: [] });
    await using member = await subject().as({ name: fresh('jane'), groups: [group] });
    await using robot = await subject().as({ token: issued.status?.token ?? '' });
    await eventually(() => member.list(ConfigMap, { namespace }));
    await eventually(() => robot.list(ConfigMap, { namespace }));
  });

  test('rights end with their binding', async () => {
    const rights = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    const { client, namespace, granted } = await makeUser(subject, rights);
    await using user = client;
    await user.list(ConfigMap, { namespace });
    await subject().client.delete(RoleBinding, { namespace, name: granted });
    await eventually(() => refusalOf(user.list(ConfigMap, { namespace })));
  });

  test('a binding to a role that is not there is told in the refusal', async () => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const name = fresh('user');
    const subjects = [{ kind: 'User', apiGroup: rbac, name }];
    for (const kind of ['Role', 'ClusterRole']) {
      const roleRef = { apiGroup: rbac, kind, name: 'absent' };
      const metadata = { namespace, name: kind.toLowerCase() };
      await client.create(RoleBinding, { metadata, subjects, roleRef });
    }
    await using user = await subject().as({ name, groups: [] });
    await eventually(async () => {
      const message = await refusalOf(user.list(ConfigMap, { namespace }));
      expect(message).toContain(': RBAC: [');
      expect(message).toContain(`role.${rbac} "absent" not found`);
      expect(message).toContain(`clusterrole.${rbac} "absent" not found`);
    });
  });

  test('whoever may get a stream of a pod may not open it', async () => {
    const { client, namespace, name } = await makeUser(subject, [
      { apiGroups: [''], resources: ['pods/exec'], verbs: ['get'] },
    ]);
    await using user = client;
    const path = `/api/v1/namespaces/${namespace}/pods/one/exec?command=true`;
    expect(await refusalOf(user.raw({ method: 'GET', path }))).toBe('pods "one" is forbidden: ');
    expect(await refusalOf(user.raw({ method: 'POST', path }))).toContain(
      `User "${name}" cannot create resource "pods/exec"`,
    );
  });
}
