import { ConfigMap, mergePatch } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { fresh, grant, whoAmIWith } from './rights.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** Acting as somebody else. */
export function impersonation(subject: GetSubjectWithUsers): void {
  describe('impersonation', () => {
    test('an administrator acts as anybody', async () => {
      const headers = {
        'impersonate-user': 'jane',
        'impersonate-group': 'team a,b',
        'impersonate-uid': '7',
        'impersonate-extra-acme.com%2fscopes': 'x,y',
      };
      expect(await whoAmIWith(subject().client, headers)).toEqual({
        username: 'jane',
        uid: '7',
        groups: ['team a,b', 'system:authenticated'],
        extra: { 'acme.com/scopes': ['x,y'] },
      });
    });

    test('whoever acts as a service account has the groups of its namespace, unless others are named', async () => {
      const user = { 'impersonate-user': 'system:serviceaccount:shop:robot' };
      const groups = async (headers: object) =>
        (await whoAmIWith(subject().client, { ...user, ...headers })).groups;
      expect(await groups({})).toEqual([
        'system:serviceaccounts',
        'system:serviceaccounts:shop',
        'system:authenticated',
      ]);
      expect(await groups({ 'impersonate-group': 'team' })).toEqual([
        'team',
        'system:authenticated',
      ]);
    });

    test('whoever acts as another may do what the other may, and no more', async () => {
      const headers = { 'impersonate-user': fresh('jane') };
      const error = await rejection(
        subject().client.raw({ method: 'GET', path: '/api/v1/pods', headers }),
      );
      expect(error).toMatchObject({
        code: 403,
        message: `pods is forbidden: User "${headers['impersonate-user']}" cannot list resource "pods" in API group "" at the cluster scope`,
      });
    });

    test('to be anonymous, one has to be somebody', async () => {
      const headers = { 'impersonate-user': 'system:anonymous' };
      const error = await rejection(whoAmIWith(subject().client, headers));
      expect(error).toMatchObject({
        code: 403,
        message: expect.stringContaining('User "system:anonymous" cannot create resource'),
      });
    });

    test.each([
      [
        { 'impersonate-group': 'team' },
        'requested [{Group  team    }] without impersonating a user',
      ],
      [
        { 'impersonate-uid': '7' },
        'requested [{UID  7  authentication.k8s.io/v1  }] without impersonating a user',
      ],
      [
        { 'impersonate-extra-scopes': 'x' },
        'requested [{UserExtra  x  authentication.k8s.io/v1  scopes}] without impersonating a user',
      ],
    ])('headers about nobody are refused: %o', async (headers, message) => {
      const error = await rejection(
        whoAmIWith(subject().client, headers as Record<string, string>),
      );
      expect(error).toMatchObject({ code: 400, reason: 'BadRequest', message });
    });

    test('acting as another in any respect takes the right to it', async () => {
      const name = fresh('deputy');
      const core = { apiGroups: [''], verbs: ['impersonate'] };
      await grant(subject(), name, [{ ...core, resources: ['users'], resourceNames: ['jane'] }]);
      await using deputy = await subject().as({ name, groups: [] });
      const refusal = async (headers: Record<string, string>) =>
        (await rejection(whoAmIWith(deputy, headers))) as Error;
      const jane = { 'impersonate-user': 'jane' };
      expect((await whoAmIWith(deputy, jane)).username).toBe('jane');
      const cannot = (what: string, group: string, where = 'at the cluster scope') =>
        `User "${name}" cannot impersonate resource "${what}" in API group "${group}" ${where}`;
      expect((await refusal({ 'impersonate-user': 'john' })).message).toBe(
        `users "john" is forbidden: ${cannot('users', '')}`,
      );
      expect((await refusal({ ...jane, 'impersonate-group': 'team' })).message).toBe(
        `groups "team" is forbidden: ${cannot('groups', '')}`,
      );
      expect((await refusal({ ...jane, 'impersonate-uid': '7' })).message).toBe(
        `uids.authentication.k8s.io "7" is forbidden: ${cannot('uids', 'authentication.k8s.io')}`,
      );
      expect((await refusal({ ...jane, 'impersonate-extra-scopes': 'x' })).message).toBe(
        `userextras.authentication.k8s.io "x" is forbidden: ${cannot('userextras/scopes', 'authentication.k8s.io')}`,
      );
      const robot = { 'impersonate-user': 'system:serviceaccount:shop:robot' };
      expect((await refusal(robot)).message).toBe(
        `serviceaccounts "robot" is forbidden: ${cannot('serviceaccounts', '', 'in the namespace "shop"')}`,
      );
    });

    test('what somebody does is theirs, not that of whom they act through', async () => {
      const { client } = subject();
      const namespace = await freshNamespace(subject());
      const name = fresh('jane');
      await grant(
        subject(),
        name,
        [{ apiGroups: [''], resources: ['configmaps'], verbs: ['patch'] }],
        namespace,
      );
      await client.create(ConfigMap, { metadata: { namespace, name: 'one' } });
      const { contentType, body } = mergePatch({ data: { color: 'red' } });
      const response = await client.raw({
        method: 'PATCH',
        path: `/api/v1/namespaces/${namespace}/configmaps/one`,
        headers: { 'content-type': contentType, 'impersonate-user': name },
        body: JSON.stringify(body),
      });
      response.discard();
      expect((await client.get(ConfigMap, { namespace, name: 'one' }))?.data).toEqual({
        color: 'red',
      });
    });
  });
}
