import { ConfigMap, isUnauthorized } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { rejection } from '../rejection.ts';
import { boundTokens } from './bound-tokens.ts';
import { impersonation } from './impersonation.ts';
import { fresh, whoAmI } from './rights.ts';
import { serviceAccountTokens } from './service-account-tokens.ts';
import type { GetSubjectWithUsers } from './subject.ts';

/** Certificates, tokens of service accounts, TokenReviews, impersonation; nobody without credentials. */
export function authentication(subject: GetSubjectWithUsers): void {
  credentials(subject);
  serviceAccountTokens(subject);
  boundTokens(subject);
  impersonation(subject);
}

function credentials(subject: GetSubjectWithUsers): void {
  describe('credentials', () => {
    test('a client certificate makes its owner the user of its common name and the groups of its organizations', async () => {
      const name = fresh('jane');
      await using jane = await subject().as({ name, groups: ['team-a', 'team-b'] });
      const { username, groups, extra, uid } = await whoAmI(jane);
      expect({ username, uid }).toEqual({ username: name, uid: undefined });
      expect(groups).toEqual(['team-a', 'team-b', 'system:authenticated']);
      expect(extra?.['authentication.kubernetes.io/credential-id']).toEqual([
        expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/),
      ]);
    });

    test('an unknown token is nobody', async () => {
      await using impostor = await subject().as({ token: 'made-up' });
      const error = await rejection(impostor.list(ConfigMap, { namespace: 'default' }));
      expect(isUnauthorized(error)).toBe(true);
      expect(error).toMatchObject({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
    });

    test.each([
      '/api',
      '/api/v1/namespaces',
      '/version',
      '/healthz',
      '/livez',
      '/readyz',
      '/nowhere',
    ])('nobody without credentials may ask for %s', async (path) => {
      await using nobody = await subject().as('nobody');
      expect(await rejection(nobody.rawJson(path))).toMatchObject({
        code: 401,
        message: 'Unauthorized',
      });
    });

    test.each(['/api', '/version', '/healthz', '/livez', '/readyz'])(
      'anybody with credentials may ask for %s',
      async (path) => {
        await using jane = await subject().as({ name: fresh('jane'), groups: [] });
        const response = await jane.raw({ method: 'GET', path });
        expect(response.status).toBe(200);
        response.discard();
      },
    );

    test('credentials of another kind than a bearer token are not looked at', async () => {
      await using nobody = await subject().as('nobody');
      const headers = { authorization: 'Basic amFuZTpzZWNyZXQ=' };
      const error = await rejection(nobody.raw({ method: 'GET', path: '/api', headers }));
      expect(isUnauthorized(error)).toBe(true);
    });
  });
}
