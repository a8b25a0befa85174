import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { chooseFreePort } from './free-port.ts';

test('chooseFreePort() gives a port that can be listened on', async () => {
  const port = await chooseFreePort('127.0.0.1');
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  expect(port).toBeGreaterThanOrEqual(10_000);
});
