import { expect, test } from 'vitest';
import { askedServer } from './testing/asked-server.ts';

test('versionHandler() names the version whose behaviour the server has', async () => {
  const answer = await askedServer()('/version');
  expect(answer).toMatchObject({
    status: 200,
    body: { major: '1', minor: '35', gitVersion: 'v1.35.4' },
  });
});
