import { ClusterRole, mergePatch, RoleBinding, SubjectAccessReview } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { fresh } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

const rbac = 'rbac.authorization.k8s.io';

/** The roles that every cluster begins with, and how others add to them. */
export function stockRoles(subject: GetSubjectWithUsers): void {
  describe('stock roles', () => {
    thoseOfEveryCluster(subject);
    aggregation(subject);
  });
}

function thoseOfEveryCluster(subject: GetSubjectWithUsers): void {
  test.each([
    'admin',
    'cluster-admin',
    'edit',
    'view',
    'system:auth-delegator',
    'system:basic-user',
    'system:certificates.k8s.io:kube-apiserver-client-approver',
    'system:certificates.k8s.io:kubelet-serving-approver',
    'system:controller:deployment-controller',
    'system:discovery',
    'system:kube-controller-manager',
    'system:kube-scheduler',
    'system:node',
    'system:public-info-viewer',
  ])('there is a ClusterRole %s', async (name) => {
    const role = await subject().client.get(ClusterRole, { name });
    expect(role?.metadata).toMatchObject({
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
    });
    expect(role?.rules).not.toHaveLength(0);
  });

  test.each([
    ['view', 'get', '', 'pods/log', true],
    ['view', 'get', '', 'secrets', false],
    ['view', 'get', 'apps', 'deployments/scale', true],
    ['view', 'create', '', 'configmaps', false],
    ['edit', 'create', '', 'configmaps', true],
    ['edit', 'get', '', 'secrets', true],
    ['edit', 'create', '', 'pods/exec', true],
    ['edit', 'impersonate', '', 'serviceaccounts', true],
    ['edit', 'create', rbac, 'roles', false],
    ['admin', 'create', rbac, 'roles', true],
    ['admin', 'update', '', 'resourcequotas', false],
    ['admin', 'list', '', 'nodes', false],
    ['cluster-admin', 'anything', 'any.example.org', 'things', true],
  ])('%s may %s "%s" %s: %s', async (role, verb, group, combined, allowed) => {
    const { client } = subject();
    const namespace = await freshNamespace(subject());
    const name = fresh('user');
    const subjects = [{ kind: 'User', apiGroup: rbac, name }];
    const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: role };
    await client.create(RoleBinding, { metadata: { namespace, name }, subjects, roleRef });
    const [resource = '', subresource = ''] = combined.split('/');
    const ask = async (attributes: object) => {
      const resourceAttributes = { namespace, ...attributes };
      const review = { spec: { user: name, resourceAttributes } };
      return (await client.create(SubjectAccessReview, review)).status?.allowed;
    };
    await eventually(async () => expect(await ask({ verb: 'get', resource: 'pods' })).toBe(true));
    expect(await ask({ verb, group, resource, subresource })).toBe(allowed);
  });

  test.each([
    ['kube-system', 'system:kube-scheduler', 'create', 'pods/binding'],
    ['kube-system', 'system:serviceaccount:kube-system:deployment-controller', 'list', 'pods'],
    ['shop', 'system:serviceaccount:kube-system:namespace-controller', 'deletecollection', 'pods'],
  ])('in %s %s may %s %s', async (namespace, user, verb, combined) => {
    const [resource = '', subresource = ''] = combined.split('/');
    const resourceAttributes = { namespace, verb, resource, subresource };
    const spec = { user, resourceAttributes };
    const { status } = await subject().client.create(SubjectAccessReview, { spec });
    expect(status?.allowed).toBe(true);
  });
}

function aggregation(subject: GetSubjectWithUsers): void {
  const rule = (resource: string) => ({
    apiGroups: ['lab.example.org'],
    resources: [resource],
    verbs: ['get'],
  });
  const rulesOf = async (name: string) =>
    (await subject().client.get(ClusterRole, { name }))?.rules ?? [];

  test('a ClusterRole aggregates those that its selectors select, in the order of their names', async () => {
    const { client } = subject();
    const label = fresh('lab.example.org/to');
    const [all, one, two] = [fresh('all'), fresh('b-one'), fresh('a-two')];
    const labels = { [label]: 'yes' };
    const clusterRoleSelectors = [{ matchLabels: labels }];
    await client.create(ClusterRole, {
      metadata: { name: all },
      aggregationRule: { clusterRoleSelectors },
      rules: [rule('lost')],
    });
    await client.create(ClusterRole, { metadata: { name: one, labels }, rules: [rule('ones')] });
    await client.create(ClusterRole, {
      metadata: { name: two, labels },
      rules: [rule('twos'), rule('ones')],
    });
    await eventually(async () => expect(await rulesOf(all)).toEqual([rule('twos'), rule('ones')]));
    await client.delete(ClusterRole, { name: two });
    await eventually(async () => expect(await rulesOf(all)).toEqual([rule('ones')]));
    await client.patch(ClusterRole, { name: one }, mergePatch({ metadata: { labels: null } }));
    await eventually(async () => expect(await rulesOf(all)).toEqual([]));
  });

  test('what is aggregated to view is in edit and admin too', async () => {
    const { client } = subject();
    const name = fresh('viewers');
    const labels = { [`${rbac}/aggregate-to-view`]: 'true' };
    const resource = fresh('things');
    await client.create(ClusterRole, { metadata: { name, labels }, rules: [rule(resource)] });
    for (const role of ['view', 'edit', 'admin']) {
      await eventually(async () => expect(await rulesOf(role)).toContainEqual(rule(resource)));
    }
    await client.delete(ClusterRole, { name });
    await eventually(async () => expect(await rulesOf('admin')).not.toContainEqual(rule(resource)));
  });
}
