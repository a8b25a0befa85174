import {
  type Client,
  ClusterRole,
  ClusterRoleBinding,
  isForbidden,
  mergePatch,
  Pod,
  Role,
  RoleBinding,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { bindClusterRole, fresh, grant, makeUser, type PolicyRule, refusalOf } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

const rbac = 'rbac.authorization.k8s.io';

/** Nobody gives away more than they have. */
export function escalation(subject: GetSubjectWithUsers): void {
  describe('escalation', () => {
    rolesAndEscalation(subject);
    bindingsAndEscalation(subject);
  });
}

const manageRoles: PolicyRule = {
  apiGroups: [rbac],
  resources: ['roles', 'rolebindings', 'clusterroles', 'clusterrolebindings'],
  verbs: ['create', 'get', 'patch', 'update'],
};
const readConfigMaps: PolicyRule = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] };
const readPods: PolicyRule = { apiGroups: [''], resources: ['pods'], verbs: ['get'] };

/** Somebody who may write roles and bindings everywhere, and read ConfigMaps. */
const makeManager = (subject: GetSubjectWithUsers, more: PolicyRule[] = []) =>
  makeUser(subject, [manageRoles, readConfigMaps, ...more], { everywhere: true });

const notHeld = (user: string) =>
  `user "${user}" (groups=["team" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:`;

function rolesAndEscalation(subject: GetSubjectWithUsers): void {
  const createRole = (client: Client, namespace: string, given: PolicyRule[], name = 'one') =>
    client.create(Role, { metadata: { namespace, name }, rules: given });

  test('a role with what one has oneself can be written', async () => {
    const { client, namespace } = await makeManager(subject, [
      { apiGroups: [''], resources: ['*/status'], verbs: ['get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
    ]);
    await using manager = client;
    await createRole(manager, namespace, [
      { apiGroups: [''], resources: ['configmaps', 'pods/status'], verbs: ['get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['b'], verbs: ['get'] },
    ]);
  });

  test('a role with more is refused, and the refusal lists what is missing', async () => {
    const { client, namespace, name } = await makeManager(subject);
    await using manager = client;
    const given = [
      { apiGroups: ['', 'apps'], resources: ['pods', 'configmaps'], verbs: ['list', 'get'] },
      { apiGroups: [''], resources: ['secrets'], resourceNames: ['a', 'b'], verbs: ['get'] },
    ];
    expect(await refusalOf(createRole(manager, namespace, given))).toBe(
      [
        `roles.${rbac} "one" is forbidden: ${notHeld(name)}`,
        '{APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["list" "get"]}',
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["a"], Verbs:["get"]}',
        '{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}',
        '{APIGroups:["apps"], Resources:["configmaps"], Verbs:["list" "get"]}',
        '{APIGroups:["apps"], Resources:["pods"], Verbs:["list" "get"]}',
      ].join('\n'),
    );
  });

  test('paths count as well', async () => {
    const { client, name } = await makeManager(subject, [
      { nonResourceURLs: ['/lab/*'], verbs: ['get'] },
    ]);
    await using manager = client;
    const metadata = { name: fresh('paths') };
    const given = [{ nonResourceURLs: ['/lab/x', '/other'], verbs: ['get', 'post'] }];
    expect(await refusalOf(manager.create(ClusterRole, { metadata, rules: given }))).toBe(
      [
        `clusterroles.${rbac} "${metadata.name}" is forbidden: ${notHeld(name)}`,
        '{NonResourceURLs:["/lab/x"], Verbs:["post"]}',
        '{NonResourceURLs:["/other"], Verbs:["get"]}',
        '{NonResourceURLs:["/other"], Verbs:["post"]}',
      ].join('\n'),
    );
  });

  test('what one has in a namespace can be given there and nowhere else', async () => {
    const { client, namespace, name } = await makeManager(subject);
    await using manager = client;
    await grant(subject(), name, [readPods], namespace);
    await createRole(manager, namespace, [readPods]);
    const elsewhere = await freshNamespace(subject());
    expect(await refusalOf(createRole(manager, elsewhere, [readPods]))).toContain('"pods"');
  });

  test('a role is not widened, nor touched when it is wider already', async () => {
    const { client, namespace } = await makeManager(subject);
    await using manager = client;
    const made = await createRole(manager, namespace, [readConfigMaps]);
    expect(await refusalOf(manager.update(Role, { ...made, rules: [readPods] }))).toContain(
      '"pods"',
    );
    await createRole(subject().client, namespace, [readPods], 'wide');
    const wide = { namespace, name: 'wide' };
    const labels = mergePatch({ metadata: { labels: { color: 'red' } } });
    expect(await refusalOf(manager.patch(Role, wide, labels))).toContain('"pods"');
    await manager.patch(Role, wide, mergePatch({ metadata: { finalizers: ['example.org/x'] } }));
    await manager.patch(Role, wide, mergePatch({ metadata: { finalizers: null } }));
  });

  test('escalate is the right to write any role', async () => {
    const { client, namespace } = await makeManager(subject, [
      { apiGroups: [rbac], resources: ['roles'], verbs: ['escalate'] },
    ]);
    await using manager = client;
    await createRole(manager, namespace, [readPods]);
    const metadata = { name: fresh('wide') };
    const error = rejection(manager.create(ClusterRole, { metadata, rules: [readPods] }));
    expect(isForbidden(await error)).toBe(true);
  });

  test('escalate for a name is the right to widen that role, not to make it', async () => {
    const { client, namespace } = await makeManager(subject, [
      { apiGroups: [rbac], resources: ['roles'], resourceNames: ['one'], verbs: ['escalate'] },
    ]);
    await using manager = client;
    expect(await refusalOf(createRole(manager, namespace, [readPods]))).toContain('"pods"');
    const made = await createRole(manager, namespace, [readConfigMaps]);
    await manager.update(Role, { ...made, rules: [readPods] });
  });

  test('an aggregation rule can gather anything, so it takes everything', async () => {
    const { client } = await makeManager(subject);
    await using manager = client;
    const name = fresh('all');
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    const role = { metadata: { name }, aggregationRule };
    expect(await refusalOf(manager.create(ClusterRole, role))).toBe(
      `clusterroles.${rbac} "${name}" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
    );
  });

  test('a master writes any role', async () => {
    await using master = await subject().as({ name: fresh('master'), groups: ['system:masters'] });
    const everything = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
    await createRole(master, await freshNamespace(subject()), everything);
  });
}

function bindingsAndEscalation(subject: GetSubjectWithUsers): void {
  const bind = (client: Client, namespace: string, kind: string, role: string) =>
    client.create(RoleBinding, {
      metadata: { namespace, name: `to-${role}` },
      subjects: [{ kind: 'User', apiGroup: rbac, name: 'bob' }],
      roleRef: { apiGroup: rbac, kind, name: role },
    });
  const makeRole = (namespace: string, name: string, given: PolicyRule[]) =>
    subject().client.create(Role, { metadata: { namespace, name }, rules: given });

  test('a role with what one has oneself can be bound, one with more cannot', async () => {
    const { client, namespace, name } = await makeManager(subject);
    await using manager = client;
    await makeRole(namespace, 'narrow', [readConfigMaps]);
    await makeRole(namespace, 'wide', [readPods]);
    await eventually(() => bind(manager, namespace, 'Role', 'narrow'));
    await eventually(async () =>
      expect(await refusalOf(bind(manager, namespace, 'Role', 'wide'))).toBe(
        `rolebindings.${rbac} "to-wide" is forbidden: ${notHeld(name)}\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`,
      ),
    );
  });

  test('cluster-admin is not for everybody to bind', async () => {
    const { client, name } = await makeManager(subject);
    await using manager = client;
    const metadata = { name: fresh('admins') };
    const subjects = [{ kind: 'User', apiGroup: rbac, name }];
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' };
    const binding = { metadata, subjects, roleRef };
    expect(await refusalOf(manager.create(ClusterRoleBinding, binding))).toBe(
      `clusterrolebindings.${rbac} "${metadata.name}" is forbidden: ${notHeld(name)}\n{APIGroups:["*"], Resources:["*"], Verbs:["*"]}\n{NonResourceURLs:["*"], Verbs:["*"]}`,
    );
  });

  test('bind is the right to bind a role', async () => {
    const { client, namespace } = await makeManager(subject, [
      { apiGroups: [rbac], resources: ['clusterroles'], resourceNames: ['view'], verbs: ['bind'] },
    ]);
    await using manager = client;
    await bind(manager, namespace, 'ClusterRole', 'view');
    expect(await refusalOf(bind(manager, namespace, 'ClusterRole', 'edit'))).toContain('"secrets"');
  });

  test('a role that is not there cannot be bound by just anybody', async () => {
    const { client, namespace } = await makeManager(subject);
    await using manager = client;
    for (const kind of ['Role', 'ClusterRole']) {
      const error = await rejection(bind(manager, namespace, kind, 'absent'));
      expect(error).toMatchObject({
        code: 404,
        message: `rolebindings.${rbac} "absent" not found`,
      });
    }
    await bind(subject().client, namespace, 'Role', 'absent');
  });

  test('more subjects take the rights of the role too', async () => {
    const { client, namespace } = await makeManager(subject);
    await using manager = client;
    await makeRole(namespace, 'wide', [readPods]);
    const made = await bind(subject().client, namespace, 'Role', 'wide');
    const more = [...(made.subjects ?? []), { kind: 'User', apiGroup: rbac, name: 'eve' }];
    await eventually(async () =>
      expect(await refusalOf(manager.update(RoleBinding, { ...made, subjects: more }))).toContain(
        '"pods"',
      ),
    );
  });

  test('group members are bound by a role that is bound to their group', async () => {
    const { client } = subject();
    const [role, group] = [fresh('pods'), fresh('team')];
    await client.create(ClusterRole, { metadata: { name: role }, rules: [readPods] });
    await bindClusterRole(client, role, [{ kind: 'Group', apiGroup: rbac, name: group }]);
    await using member = await subject().as({ name: fresh('jane'), groups: [group] });
    await eventually(async () => {
      expect(await member.get(Pod, { namespace: 'default', name: 'absent' })).toBeUndefined();
    });
  });
}
