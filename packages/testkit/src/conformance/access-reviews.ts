import {
  defineKind,
  type KubeObject,
  SelfSubjectAccessReview,
  SubjectAccessReview,
} from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { fresh, makeUser, type PolicyRule, refusalOf } from './rights.ts';
import type { GetSubjectWithUsers } from './subject.ts';

interface Review extends KubeObject {
  readonly spec?: object;
  readonly status?: {
    readonly allowed?: boolean;
    readonly resourceRules?: readonly PolicyRule[];
    readonly nonResourceRules?: readonly PolicyRule[];
    readonly incomplete?: boolean;
    readonly evaluationError?: string;
  };
}

const LocalSubjectAccessReview = defineKind<Review>({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'LocalSubjectAccessReview',
  plural: 'localsubjectaccessreviews',
  scope: 'Namespaced',
});

export const SelfSubjectRulesReview = defineKind<Review>({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectRulesReview',
  plural: 'selfsubjectrulesreviews',
  scope: 'Cluster',
});

/** Who may do what, asked instead of tried. */
export function accessReviews(subject: GetSubjectWithUsers): void {
  describe('access reviews', () => {
    const listPods = (namespace: string) => ({ namespace, verb: 'list', resource: 'pods' });

    test('a SubjectAccessReview tells by which binding somebody may', async () => {
      const rights = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
      const { namespace, name, granted, client } = await makeUser(subject, rights);
      await client[Symbol.asyncDispose]();
      const spec = { user: name, resourceAttributes: listPods(namespace) };
      const review = await subject().client.create(SubjectAccessReview, { spec });
      expect(review.status).toEqual({
        allowed: true,
        reason: `RBAC: allowed by RoleBinding "${granted}/${namespace}" of Role "${granted}" to User "${name}"`,
      });
      expect(review.spec).toEqual(spec);
    });

    test('a SubjectAccessReview tells that somebody may not', async () => {
      const spec = { user: 'jane', resourceAttributes: listPods('default') };
      const { status } = await subject().client.create(SubjectAccessReview, { spec });
      expect(status).toEqual({ allowed: false });
    });

    test('a SubjectAccessReview goes by groups, and needs no reason for masters', async () => {
      const { client } = subject();
      const ask = async (groups: string[], attributes: object) =>
        (await client.create(SubjectAccessReview, { spec: { groups, ...attributes } })).status;
      const path = { nonResourceAttributes: { verb: 'get', path: '/openapi/v3' } };
      expect(await ask(['system:authenticated'], path)).toEqual({
        allowed: true,
        reason:
          'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
      });
      expect(await ask(['system:masters'], path)).toEqual({ allowed: true });
      expect(await ask(['nobody'], path)).toEqual({ allowed: false });
    });

    test('a SubjectAccessReview about nobody and nothing is invalid', async () => {
      const error = await rejection(subject().client.create(SubjectAccessReview, { spec: {} }));
      expect(error).toMatchObject({
        code: 422,
        message:
          '.authorization.k8s.io "" is invalid: [spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified, spec.user: Invalid value: "": at least one of user or group must be specified]',
      });
    });

    test('a SubjectAccessReview has no name, and one target', async () => {
      const spec = {
        user: 'jane',
        resourceAttributes: listPods('default'),
        nonResourceAttributes: { path: '/', verb: 'get' },
      };
      const review = { metadata: { name: 'one' }, spec };
      const error = await rejection(subject().client.create(SubjectAccessReview, review));
      expect(error).toMatchObject({
        details: {
          causes: [
            {
              field: 'spec.nonResourceAttributes',
              message:
                'Invalid value: {"Path":"/","Verb":"get"}: cannot be specified in combination with resourceAttributes',
            },
            { field: 'metadata', message: expect.stringMatching(/: must be empty$/) },
          ],
        },
      });
    });

    test('a LocalSubjectAccessReview is about its namespace', async () => {
      const { client } = subject();
      const metadata = { namespace: 'default' };
      const ask = (spec: object) => client.create(LocalSubjectAccessReview, { metadata, spec });
      const here = await ask({ user: 'jane', resourceAttributes: listPods('default') });
      expect(here.status).toEqual({ allowed: false });
      expect(
        await rejection(ask({ user: 'jane', resourceAttributes: listPods('shop') })),
      ).toMatchObject({
        message:
          '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "shop": must match metadata.namespace',
      });
      const nonResourceAttributes = { verb: 'get', path: '/x' };
      expect(await rejection(ask({ user: 'jane', nonResourceAttributes }))).toMatchObject({
        message:
          '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request',
      });
    });

    test('a SelfSubjectAccessReview is about whoever asks', async () => {
      const rights = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
      const { client, namespace } = await makeUser(subject, rights);
      await using user = client;
      const ask = async (of: string) => {
        const spec = { resourceAttributes: listPods(of) };
        return (await user.create(SelfSubjectAccessReview, { spec })).status?.allowed;
      };
      expect(await ask(namespace)).toBe(true);
      expect(await ask('default')).toBe(false);
    });

    test('a SelfSubjectRulesReview lists all that its sender may do in a namespace', async () => {
      const rights = [
        { apiGroups: [''], resources: ['pods'], resourceNames: ['a'], verbs: ['get'] },
      ];
      const { client, namespace } = await makeUser(subject, rights);
      await using user = client;
      const { spec, status } = await user.create(SelfSubjectRulesReview, { spec: { namespace } });
      expect(spec).toEqual({});
      expect(status).toMatchObject({ incomplete: false });
      expect(status?.resourceRules).toHaveLength(3);
      expect(status?.resourceRules).toContainEqual(rights[0]);
      expect(status?.resourceRules).toContainEqual({
        verbs: ['create'],
        apiGroups: ['authentication.k8s.io'],
        resources: ['selfsubjectreviews'],
      });
      expect(status?.nonResourceRules).toContainEqual({
        verbs: ['get'],
        nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'],
      });
    });

    test('a SelfSubjectRulesReview needs a namespace', async () => {
      const error = await rejection(subject().client.create(SelfSubjectRulesReview, { spec: {} }));
      expect(error).toMatchObject({ code: 400, message: 'no namespace on request' });
    });

    test('a review about others takes a right of its own', async () => {
      await using stranger = await subject().as({ name: fresh('stranger'), groups: [] });
      const spec = { user: 'jane', resourceAttributes: listPods('default') };
      expect(await refusalOf(stranger.create(SubjectAccessReview, { spec }))).toContain(
        'cannot create resource "subjectaccessreviews"',
      );
    });
  });
}
