import { expect, test } from 'vitest';
import { askedServer } from './testing/asked-server.ts';

const ask = askedServer();

test.each(['/healthz', '/livez', '/readyz', '/healthz/ping', '/livez/ping?verbose'])(
  'healthHandler() answers %s with a single word',
  async (path) => {
    expect(await ask(path)).toMatchObject({ status: 200, body: 'ok' });
  },
);

test('healthHandler() tells of each check when asked to be verbose', async () => {
  expect((await ask('/readyz?verbose'))?.body).toBe('[+]ping ok\n[+]log ok\nreadyz check passed\n');
});

test('healthHandler() has no checks that it does not make', async () => {
  expect(await ask('/healthz/etcd')).toMatchObject({ status: 404 });
});
