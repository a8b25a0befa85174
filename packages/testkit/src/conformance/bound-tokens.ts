import { isUnauthorized, Node, Pod, Secret, ServiceAccount } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { rejection } from '../rejection.ts';
import { fresh, whoAmI } from './rights.ts';
import { claimsOf, issue, makeAccount, review, type TokenRequestSpec } from './service-accounts.ts';
import type { GetSubjectWithUsers } from './subject.ts';

/** Servers remember a token that was good for ten seconds. */
const forgotten = { timeoutMs: 30_000 };

async function makePod(
  subject: GetSubjectWithUsers,
  account: { readonly namespace: string; readonly name: string },
  nodeName?: string,
) {
  const pod = { namespace: account.namespace, name: 'pod' };
  const containers = [{ name: 'main', image: 'example.org/app' }];
  const spec = {
    containers,
    serviceAccountName: account.name,
    schedulerName: 'nobody',
    ...(nodeName && { nodeName }),
  };
  const { metadata } = await subject().client.create(Pod, { metadata: pod, spec });
  return { pod, uid: metadata.uid, ref: { apiVersion: 'v1', kind: 'Pod', name: 'pod' } };
}

/** Tokens that live and die with another object. */
export function boundTokens(subject: GetSubjectWithUsers): void {
  describe('bound tokens', () => {
    test('a token that is bound to a pod tells so', async () => {
      const { account } = await makeAccount(subject);
      const { uid, ref } = await makePod(subject, account);
      const token = await issue(subject, account, { boundObjectRef: ref });
      expect(claimsOf(token)['kubernetes.io']).toMatchObject({ pod: { name: 'pod', uid } });
      expect((await review(subject, token))?.user?.extra).toMatchObject({
        'authentication.kubernetes.io/pod-name': ['pod'],
        'authentication.kubernetes.io/pod-uid': [uid],
      });
    });

    test('a token that is bound to a pod tells its node, there or not', async () => {
      const { client } = subject();
      const { account } = await makeAccount(subject);
      const nodeName = fresh('node');
      const { ref } = await makePod(subject, account, nodeName);
      const boundObjectRef = ref;
      const before = await issue(subject, account, { boundObjectRef });
      expect(claimsOf(before)['kubernetes.io']).toMatchObject({ node: { name: nodeName } });
      const node = await client.create(Node, { metadata: { name: nodeName } });
      const { uid } = node.metadata;
      const after = await issue(subject, account, { boundObjectRef });
      expect(claimsOf(after)['kubernetes.io']).toMatchObject({ node: { name: nodeName, uid } });
      expect((await review(subject, after))?.user?.extra).toMatchObject({
        'authentication.kubernetes.io/node-name': [nodeName],
        'authentication.kubernetes.io/node-uid': [uid],
      });
      await client.delete(Node, { name: nodeName });
    });

    test('a token dies with its pod', async () => {
      const { account } = await makeAccount(subject);
      const { pod, ref } = await makePod(subject, account);
      const token = await issue(subject, account, { boundObjectRef: ref });
      await subject().client.delete(Pod, pod, { gracePeriodSeconds: 0 });
      await eventually(async () => {
        expect(await review(subject, token)).toEqual({
          user: {},
          error: '[invalid bearer token, service account token has been invalidated]',
        });
      }, forgotten);
      await using robot = await subject().as({ token });
      expect(isUnauthorized(await rejection(whoAmI(robot)))).toBe(true);
    });

    test('a token of an earlier pod of the name is worthless', async () => {
      const { account } = await makeAccount(subject);
      const { pod, uid, ref } = await makePod(subject, account);
      const token = await issue(subject, account, { boundObjectRef: ref });
      await subject().client.delete(Pod, pod, { gracePeriodSeconds: 0 });
      const later = await makePod(subject, account);
      await eventually(async () => {
        const status = await review(subject, token);
        expect(status?.error).toBe(
          `[invalid bearer token, pod UID (${later.uid}) does not match service account pod ref claim (${uid})]`,
        );
      }, forgotten);
    });

    test('a token is not bound to what is not there, is another, or belongs to another account', async () => {
      const { account } = await makeAccount(subject);
      const { uid, ref } = await makePod(subject, account);
      const refused = (boundObjectRef: object, name = 'robot') =>
        rejection(issue(subject, { ...account, name }, { boundObjectRef }));
      expect(await refused({ ...ref, name: 'absent' })).toMatchObject({
        code: 404,
        message: 'pods "absent" not found',
      });
      expect(await refused({ ...ref, uid: 'other' })).toMatchObject({
        code: 409,
        message:
          'Operation cannot be fulfilled on Pod "pod": the UID in the bound object reference (other) does not match the UID in record. The object might have been deleted and then recreated',
      });
      expect(await refused({ ...ref, uid }, 'default')).toMatchObject({
        code: 400,
        message:
          'cannot bind token for serviceaccount "default" to pod running with different serviceaccount name.',
      });
    });

    test('a token is bound to pods, secrets and nodes, and to nothing else', async () => {
      const { account } = await makeAccount(subject);
      const boundObjectRef = { apiVersion: 'v1', kind: 'ConfigMap', name: 'kube-root-ca.crt' };
      expect(await rejection(issue(subject, account, { boundObjectRef }))).toMatchObject({
        code: 400,
        message: 'cannot bind token to object of type /v1, Kind=ConfigMap',
      });
    });

    test('a token dies with its secret', async () => {
      const { client } = subject();
      const { account } = await makeAccount(subject);
      const key = { namespace: account.namespace, name: 'leash' };
      const secret = await client.create(Secret, { metadata: key });
      const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name: 'leash' };
      const token = await issue(subject, account, { boundObjectRef });
      const { uid } = secret.metadata;
      expect(claimsOf(token)['kubernetes.io']).toMatchObject({ secret: { name: 'leash', uid } });
      await client.delete(Secret, key);
      await eventually(async () => {
        expect((await review(subject, token))?.authenticated).toBeUndefined();
      }, forgotten);
    });

    test('a token dies with its node', async () => {
      const { client } = subject();
      const { account } = await makeAccount(subject);
      const name = fresh('node');
      await client.create(Node, { metadata: { name } });
      const boundObjectRef = { apiVersion: 'v1', kind: 'Node', name };
      const token = await issue(subject, account, { boundObjectRef });
      await client.delete(Node, { name });
      await eventually(async () => {
        expect((await review(subject, token))?.error).toContain('has been invalidated');
      }, forgotten);
    });

    test('a token dies with its account, also when another of the name takes its place', async () => {
      const { client } = subject();
      const { account, uid } = await makeAccount(subject);
      const token = await issue(subject, account);
      await client.delete(ServiceAccount, account);
      await eventually(async () => {
        const status = await review(subject, token);
        expect(status?.error).toBe('[invalid bearer token, serviceaccounts "robot" not found]');
      }, forgotten);
      const again = await client.create(ServiceAccount, { metadata: account });
      await eventually(async () => {
        const status = await review(subject, token);
        expect(status?.error).toBe(
          `[invalid bearer token, service account UID (${again.metadata.uid}) does not match claim (${uid})]`,
        );
      }, forgotten);
    });

    test('a token as kubelets ask for it lives for a year, and says when it should have been renewed', async () => {
      const { account } = await makeAccount(subject);
      const { ref } = await makePod(subject, account);
      const spec = { expirationSeconds: 3607, boundObjectRef: ref };
      const answer = await subject().client.createToken(
        account,
        spec as unknown as TokenRequestSpec,
      );
      const claims = claimsOf(answer.status?.token ?? '') as { iat: number; exp: number };
      expect(claims.exp).toBe(claims.iat + 365 * 24 * 3600);
      expect(claims).toMatchObject({ 'kubernetes.io': { warnafter: claims.iat + 3607 } });
      expect(answer.spec.expirationSeconds).toBe(3607);
    });
  });
}
