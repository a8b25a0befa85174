import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { VirtualClock } from '@liqo/testkit';
import type { Probe } from 'kubernetes-types/core/v1.d.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { ContainerProcess } from '../containers/container-process.ts';
import { runProbe } from './run-probe.ts';

const clock = new VirtualClock();
const idle: ContainerProcess = {
  exited: new Promise(() => {}),
  terminate: () => {},
  kill: () => {},
};

function ask(probe: Probe, process = idle) {
  const ports = [{ name: 'web', containerPort: 8080 }];
  const env = [{ name: 'WORD', value: 'hello' }];
  const container = { name: 'main', ports, env };
  const { signal } = new AbortController();
  return runProbe({ clock, container, podIP: '10.244.0.2', process }, probe, signal);
}

describe('runProbe()', () => {
  const servers: Server[] = [];
  const listen = (server: Server) =>
    new Promise<number>((resolve) => {
      servers.push(server);
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    });
  const serve = (listener: RequestListener) => listen(createServer(listener));
  const closedPort = async () => {
    const port = await listen(createTcpServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    return port;
  };
  afterEach(async () => {
    const all = servers.splice(0);
    await Promise.all(all.map((server) => new Promise((resolve) => server.close(resolve))));
  });

  test.each([
    [200, 'success', 'body'],
    [399, 'warning', 'Probe terminated redirects, Response body: body'],
    [404, 'failure', 'HTTP probe failed with statuscode: 404'],
    [503, 'failure', 'HTTP probe failed with statuscode: 503'],
  ])('of an answer %d is a %s', async (statusCode, result, output) => {
    const port = await serve((_, response) => response.writeHead(statusCode).end('body'));
    expect(await ask({ httpGet: { port } })).toEqual({ result, output });
  });

  test('sends what the probe says, as the kubelet sends it', async () => {
    const seen: IncomingMessage[] = [];
    const port = await serve((request, response) => {
      seen.push(request);
      response.end();
    });
    const httpHeaders = [{ name: 'X-Who', value: 'me' }];
    await ask({ httpGet: { port, path: 'healthz?full=1', httpHeaders } });
    expect(seen[0]?.url).toBe('/healthz?full=1');
    expect(seen[0]?.headers).toMatchObject({
      host: `10.244.0.2:${port}`,
      'user-agent': 'kube-probe/1.35',
      accept: '*/*',
      'x-who': 'me',
    });
  });

  test('follows redirects at the pod and warns of those that lead away', async () => {
    const port = await serve((request, response) => {
      const to = request.url === '/away' ? 'http://example.org/' : '/good';
      if (request.url === '/good') response.end('good');
      else response.writeHead(302, { location: to }).end('moved');
    });
    const near = await ask({ httpGet: { port, path: '/near' } });
    expect(near).toEqual({ result: 'success', output: 'good' });
    expect(await ask({ httpGet: { port, path: '/away' } })).toMatchObject({ result: 'warning' });
  });

  test('tells of a port where nobody listens as a Go program does', async () => {
    const port = await closedPort();
    const refused = `dial tcp 10.244.0.2:${port}: connect: connection refused`;
    expect(await ask({ httpGet: { port, path: '/live' } })).toEqual({
      result: 'failure',
      output: `Get "http://10.244.0.2:${port}/live": ${refused}`,
    });
    expect(await ask({ tcpSocket: { port } })).toEqual({ result: 'failure', output: refused });
  });

  test('waits for an answer no longer than the probe says', async () => {
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const port = await serve(() => arrive());
    const asking = ask({ httpGet: { port }, timeoutSeconds: 3 });
    await arrived;
    await clock.advance(3_000);
    expect(await asking).toEqual({
      result: 'failure',
      output: `Get "http://10.244.0.2:${port}/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    });
  });

  test('of a socket succeeds when it opens', async () => {
    const port = await listen(createTcpServer((socket) => socket.destroy()));
    expect(await ask({ tcpSocket: { port } })).toMatchObject({ result: 'success' });
  });

  test('rejects a port that nobody knows', async () => {
    await expect(ask({ tcpSocket: { port: 'admin' } })).rejects.toThrow(
      'strconv.Atoi: parsing "admin": invalid syntax',
    );
  });

  test('runs a command with the variables that are known beforehand', async () => {
    const exec = async (command: readonly string[]) => ({
      exitCode: command.length,
      output: command.join(' '),
    });
    const answer = await ask({ exec: { command: ['say', '$(WORD)'] } }, { ...idle, exec });
    expect(answer).toEqual({ result: 'failure', output: 'say hello' });
  });

  test('gives up on a command that takes too long', async () => {
    const exec = (_: readonly string[], signal: AbortSignal) =>
      new Promise<{ exitCode: number; output: string }>((resolve) => {
        signal.addEventListener('abort', () => resolve({ exitCode: 137, output: '' }));
      });
    const probe = { exec: { command: ['sleep', '60'] }, timeoutSeconds: 2 };
    const asking = ask(probe, { ...idle, exec });
    await clock.advance(2_000);
    expect(await asking).toEqual({
      result: 'failure',
      output: 'command timed out: "sleep 60" timed out after 2s',
    });
  });

  test('takes containers in which nothing can be run at their word', async () => {
    expect(await ask({ exec: { command: ['true'] } })).toMatchObject({ result: 'success' });
  });
});
