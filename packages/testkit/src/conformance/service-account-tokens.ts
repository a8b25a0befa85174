import { isNotFound, isUnauthorized, TokenReview } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { whoAmI } from './rights.ts';
import {
  claimsOf,
  credentialId,
  issue,
  issuer,
  makeAccount,
  review,
  type TokenRequestSpec,
} from './service-accounts.ts';
import { freshNamespace, type GetSubjectWithUsers } from './subject.ts';

/** Asking for tokens, and asking about them. */
export function serviceAccountTokens(subject: GetSubjectWithUsers): void {
  describe('tokens of service accounts', () => {
    tokenRequests(subject);
    tokenReviews(subject);
  });
}

function tokenRequests(subject: GetSubjectWithUsers): void {
  test('a token is for the API server and an hour unless it is asked for otherwise', async () => {
    const { account, uid } = await makeAccount(subject);
    const answer = await subject().client.createToken(account, {} as TokenRequestSpec);
    expect(answer).toMatchObject({
      kind: 'TokenRequest',
      metadata: { ...account, uid },
      spec: { audiences: [issuer], expirationSeconds: 3600, boundObjectRef: null },
    });
    const { creationTimestamp = '' } = answer.metadata ?? {};
    const expires = Date.parse(answer.status?.expirationTimestamp ?? '');
    expect(expires - Date.parse(creationTimestamp)).toBe(3_600_000);
  });

  test('a token says for whom, by whom and for how long it is', async () => {
    const { account, uid } = await makeAccount(subject);
    const claims = claimsOf(await issue(subject, account, { expirationSeconds: 1200 }));
    const { iat, jti } = claims as { iat: number; jti: string };
    expect(claims).toEqual({
      aud: [issuer],
      exp: iat + 1200,
      iat,
      iss: issuer,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'kubernetes.io': {
        namespace: account.namespace,
        serviceaccount: { name: account.name, uid },
      },
      nbf: iat,
      sub: `system:serviceaccount:${account.namespace}:robot`,
    });
    expect(jti).not.toBe(claimsOf(await issue(subject, account)).jti);
  });

  test('the bearer of a token is its service account', async () => {
    const { account, uid } = await makeAccount(subject);
    const token = await issue(subject, account);
    await using robot = await subject().as({ token });
    expect(await whoAmI(robot)).toEqual({
      username: `system:serviceaccount:${account.namespace}:robot`,
      uid,
      groups: [
        'system:serviceaccounts',
        `system:serviceaccounts:${account.namespace}`,
        'system:authenticated',
      ],
      extra: { [credentialId]: [`JTI=${claimsOf(token).jti}`] },
    });
  });

  test('a token for another audience is not good for the API server', async () => {
    const { account } = await makeAccount(subject);
    const token = await issue(subject, account, { audiences: ['vault'] });
    await using robot = await subject().as({ token });
    expect(isUnauthorized(await rejection(whoAmI(robot)))).toBe(true);
  });

  test.each([
    [599, 'may not specify a duration less than 10 minutes'],
    [2 ** 32 + 1, 'may not specify a duration larger than 2^32 seconds'],
  ])('a token cannot be had for %d seconds', async (expirationSeconds, detail) => {
    const { account } = await makeAccount(subject);
    const error = await rejection(issue(subject, account, { expirationSeconds }));
    expect(error).toMatchObject({
      code: 422,
      message: `TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: ${expirationSeconds}: ${detail}`,
    });
  });

  test('a token of an absent account cannot be had', async () => {
    const namespace = await freshNamespace(subject());
    const error = await rejection(issue(subject, { namespace, name: 'absent' }));
    expect(isNotFound(error)).toBe(true);
    expect(error).toMatchObject({ message: 'serviceaccounts "absent" not found' });
  });

  test('a token request that names another account is refused', async () => {
    const { account, uid } = await makeAccount(subject);
    const ask = (metadata: object) =>
      rejection(
        subject().client.raw({
          method: 'POST',
          path: `/api/v1/namespaces/${account.namespace}/serviceaccounts/robot/token`,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            apiVersion: 'authentication.k8s.io/v1',
            kind: 'TokenRequest',
            metadata,
            spec: {},
          }),
        }),
      );
    expect(await ask({ name: 'other' })).toMatchObject({
      code: 422,
      message:
        'TokenRequest.authentication.k8s.io "robot" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
    });
    expect(await ask({ uid: 'other' })).toMatchObject({
      code: 409,
      message: `Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "robot": the UID in the token request (other) does not match the UID of the service account (${uid})`,
    });
    expect(await ask({ namespace: 'other' })).toMatchObject({ code: 400 });
  });
}

function tokenReviews(subject: GetSubjectWithUsers): void {
  test('a review tells whose token it is', async () => {
    const { account, uid } = await makeAccount(subject);
    const token = await issue(subject, account);
    expect(await review(subject, token)).toMatchObject({
      authenticated: true,
      user: { username: `system:serviceaccount:${account.namespace}:robot`, uid },
      audiences: [issuer],
    });
  });

  test('a review tells which of the audiences a token is for', async () => {
    const { account } = await makeAccount(subject);
    const token = await issue(subject, account, { audiences: ['x', 'y'] });
    const status = await review(subject, token, ['y', 'z', 'x']);
    expect(status).toMatchObject({ authenticated: true, audiences: ['y', 'x'] });
  });

  test('a review of a token for others says so', async () => {
    const { account } = await makeAccount(subject);
    const token = await issue(subject, account, { audiences: ['x', 'y'] });
    expect(await review(subject, token)).toEqual({
      user: {},
      error: `[invalid bearer token, token audiences ["x" "y"] is invalid for the target audiences ["${issuer}"]]`,
    });
  });

  test.each(['made-up', 'a.b.c', 'e30.e30.e30'])('a review of %s finds nobody', async (token) => {
    expect(await review(subject, token)).toEqual({ user: {}, error: 'invalid bearer token' });
  });

  test('a review of a token that was tampered with finds nobody', async () => {
    const { account } = await makeAccount(subject);
    const [header, , signature] = (await issue(subject, account)).split('.');
    const forged = claimsOf(await issue(subject, account, { expirationSeconds: 9999 }));
    const claims = Buffer.from(JSON.stringify(forged)).toString('base64url');
    const status = await review(subject, `${header}.${claims}.${signature}`);
    expect(status?.authenticated).toBeUndefined();
    expect(status?.error).toContain('invalid bearer token, ');
  });

  test('a review without a token is refused', async () => {
    const error = await rejection(subject().client.create(TokenReview, { spec: {} }));
    expect(error).toMatchObject({
      code: 400,
      message: 'token is required for TokenReview in authentication',
    });
  });
}
