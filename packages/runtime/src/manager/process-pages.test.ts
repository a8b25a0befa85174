import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../log/log.ts';
import { Metrics } from '../metrics/metrics.ts';
import { type ProcessPagesOptions, startProcessPages } from './process-pages.ts';

const local = { port: 0, host: '127.0.0.1' };

async function start(options: Omit<ProcessPagesOptions, 'log'>) {
  const pages = await startProcessPages({ log: silentLogger, ...options });
  onTestFinished(() => pages[Symbol.asyncDispose]());
  return pages;
}

async function ask(port: number | undefined, path: string, init?: RequestInit) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test('startProcessPages() answers "ok" when all checks pass, and names them when asked', async () => {
  const { healthPort } = await start({
    health: local,
    readyChecks: { informers: () => undefined },
  });
  expect(await ask(healthPort, '/readyz')).toMatchObject({ status: 200, text: 'ok' });
  expect(await ask(healthPort, '/readyz?verbose')).toMatchObject({
    status: 200,
    text: '[+]ping ok\n[+]informers ok\nreadyz check passed\n',
  });
  expect(await ask(healthPort, '/healthz')).toMatchObject({ status: 200, text: 'ok' });
});

test('startProcessPages() says which check failed and why, but not what it threw', async () => {
  const { healthPort } = await start({
    health: local,
    healthChecks: {
      informers: () => 'Pod is not synced',
      peer: () => Promise.reject(new Error('token abc')),
    },
  });
  expect(await ask(healthPort, '/healthz')).toMatchObject({
    status: 500,
    text: '[+]ping ok\n[-]informers failed: Pod is not synced\n[-]peer failed: reason withheld\nhealthz check failed\n',
  });
  expect((await ask(healthPort, '/readyz')).status).toBe(200);
});

test('startProcessPages() serves metrics beside the health pages', async () => {
  const metrics = new Metrics();
  metrics.leading('manager', true);
  const { healthPort, metricsPort } = await start({ health: local, metrics });
  expect(metricsPort).toBe(healthPort);
  const { text, headers } = await ask(metricsPort, '/metrics');
  expect(text).toContain('leader_election_master_status{name="manager"} 1');
  expect(headers.get('content-type')).toContain('text/plain; version=0.0.4');
});

test('startProcessPages() serves metrics on a port of their own when asked', async () => {
  const { healthPort, metricsPort } = await start({
    health: local,
    metricsServer: local,
    metrics: new Metrics(),
  });
  expect(metricsPort).not.toBe(healthPort);
  expect((await ask(metricsPort, '/metrics')).status).toBe(200);
  expect((await ask(healthPort, '/metrics')).status).toBe(404);
  expect((await ask(metricsPort, '/healthz')).status).toBe(404);
});

test('startProcessPages() serves metrics nowhere when told so', async () => {
  const { healthPort } = await start({
    health: local,
    metricsServer: 'none',
    metrics: new Metrics(),
  });
  expect((await ask(healthPort, '/readyz')).status).toBe(200);
  expect((await ask(healthPort, '/metrics')).status).toBe(404);
});

test.each([
  ['/', 'GET', 404],
  ['/toString', 'GET', 404],
  ['/healthz', 'POST', 405],
  ['/healthz', 'HEAD', 200],
])('startProcessPages() answers %s %s with %d', async (path, method, status) => {
  const { healthPort } = await start({ health: local });
  expect((await ask(healthPort, path, { method })).status).toBe(status);
});

test.each(['//', '//?verbose', 'http://[', '*', '/%zz?%zz'])(
  'startProcessPages() answers the request target %s with 404, and goes on',
  async (path) => {
    const { healthPort } = await start({ health: local });
    const request = get({ ...local, port: healthPort, path });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(404);
    expect((await ask(healthPort, '/healthz')).status).toBe(200);
  },
);

test('startProcessPages() says what it could not listen on, and leaves nothing open', async () => {
  const { healthPort = 0 } = await start({ health: local });
  const taken = { port: healthPort, host: '127.0.0.1' };
  const failing = startProcessPages({ log: silentLogger, health: local, metricsServer: taken });
  await expect(failing).rejects.toThrow(
    `Cannot listen on "127.0.0.1:${healthPort}": listen EADDRINUSE`,
  );
});

test('startProcessPages() opens no port when none is wanted', async () => {
  expect(await start({})).toMatchObject({ healthPort: undefined, metricsPort: undefined });
});
