import { request as httpsRequest } from 'node:https';
import { createServer } from 'node:net';
import { Client, InProcessTransport, Pod, type TransportRequest } from '@liqo/kube';
import {
  type CertificateAuthority,
  createCertificateAuthority,
  eventually,
  type KeyPair,
  seededRandom,
  VirtualClock,
} from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ProgramContext } from '../containers/image-registry.ts';
import { type NodeAgent, startNode } from '../start-node.ts';
import { startBareServer } from '../testing/start-bare-server.ts';

const prefix = 'minicluster.liqo-ts.dev/';

/** Answers reviews as an API server where everybody in `admins` may do everything and others may read statistics. */
function reviewing(server: Client): Client {
  const clock = new VirtualClock();
  const transport = new InProcessTransport(async (sent: TransportRequest) => {
    const body = sent.body ? JSON.parse(String(sent.body)) : {};
    const status = statusOf(body);
    if (status) return { status: 201, body: JSON.stringify({ ...body, status }) };
    const answer = await server.raw(sent).catch((error) => error);
    if (answer instanceof Error) throw answer;
    return { status: answer.status, headers: answer.headers, body: answer.chunks() };
  });
  return new Client({ transport, clock, random: seededRandom(1) });
}

function statusOf({ kind, spec }: { kind?: string; spec?: Record<string, never> }) {
  if (kind === 'TokenReview') {
    const { token } = spec ?? {};
    return { authenticated: token === 'good', user: { username: 'reader', groups: [] } };
  }
  if (kind !== 'SubjectAccessReview') return undefined;
  const { groups = [], resourceAttributes } = (spec ?? {}) as {
    groups?: string[];
    resourceAttributes?: { subresource?: string };
  };
  return { allowed: groups.includes('admins') || resourceAttributes?.subresource === 'stats' };
}

describe('KubeletServer', () => {
  const clock = new VirtualClock();
  let authority: CertificateAuthority;
  let admin: KeyPair;
  let nobody: KeyPair;
  let client: Client;
  let node: NodeAgent;

  beforeAll(async () => {
    authority = await createCertificateAuthority('cluster');
    admin = await authority.issueClient({ name: 'admin', groups: ['admins'] });
    nobody = await authority.issueClient({ name: 'nobody', groups: [] });
    client = await startBareServer(clock, seededRandom(1));
    const server = await authority.issueServer('worker', ['127.0.0.1']);
    node = await startNode({
      client: reviewing(client),
      clock,
      random: seededRandom(2),
      name: 'worker',
      images: new Map([['example.org/greeter', greet]]),
      serving: { ...server, clientCa: authority.certificate },
    });
    await run('web', 'example.org/app', { log: 'one\ntwo\nthree', 'cpu-usage': '250m' });
    await run('greeter', 'example.org/greeter', {});
    await run('waiting', 'example.org/app', { 'start-delay': '1h' });
    await run('crashed', 'example.org/app', { crash: '1', log: 'hello' });
    await clock.advance(1000);
  });
  afterAll(async () => {
    await node[Symbol.asyncDispose]();
    await client[Symbol.asyncDispose]();
  });

  async function greet({ args, env, stdout, signal }: ProgramContext): Promise<number> {
    stdout.write(`hello ${args.join(' ')} from ${env.HOSTNAME}\n`);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return 0;
  }

  async function run(name: string, image: string, steering: Record<string, string>) {
    const prefixed = Object.entries(steering).map(([key, value]) => [prefix + key, value]);
    const annotations = Object.fromEntries(prefixed);
    const env = [{ name: 'COLOR', value: 'red' }];
    const containers = [{ name: 'main', image, env, args: ['you', '$(COLOR)'] }];
    const metadata = { namespace: 'default', name, annotations };
    await client.create(Pod, { metadata, spec: { nodeName: 'worker', containers } });
  }

  function ask(
    path: string,
    who: { readonly keys?: KeyPair; readonly token?: string } = { keys: admin },
  ) {
    return new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = httpsRequest({
        host: node.address,
        port: node.port,
        path,
        ca: authority.certificate,
        agent: false,
        ...(who.keys && { cert: who.keys.certificate, key: who.keys.privateKey }),
        headers: who.token ? { authorization: `Bearer ${who.token}` } : {},
      });
      request.on('error', reject).on('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      });
      request.end();
    });
  }

  const log = (query: string, pod = 'web') => ask(`/containerLogs/default/${pod}/main${query}`);

  test.each([
    ['everything', '', 'one\ntwo\nthree\n'],
    ['the last lines', '?tailLines=2', 'two\nthree\n'],
    ['so many bytes', '?limitBytes=5', 'one\nt'],
    ['what is young enough', '?sinceTime=2030-01-01T00:00:01Z', ''],
    ['what is younger than some seconds', '?sinceSeconds=5&tailLines=1', 'three\n'],
    ['times', '?timestamps=true&tailLines=1', '2030-01-01T00:00:00.000000000Z three\n'],
  ])('sends of a log %s', async (_, query, body) => {
    expect(await log(query)).toEqual({ status: 200, body });
  });

  test('sends the log of the run before', async () => {
    expect(await log('?previous=true', 'crashed')).toEqual({ status: 200, body: 'hello\n' });
  });

  test.each([
    [
      'waiting',
      '',
      400,
      'container "main" in pod "waiting" is waiting to start: ContainerCreating',
    ],
    ['web', '?previous=true', 400, 'previous terminated container "main" in pod "web" not found'],
    ['absent', '', 404, 'pod "absent" does not exist'],
    ['web', '?tailLines=few', 422, '{"message": "Invalid request."}'],
  ])('says why there is no log of %s%s', async (pod, query, status, body) => {
    expect(await log(query, pod)).toEqual({ status, body });
  });

  test('runs a registered image for real', async () => {
    const { body } = await log('', 'greeter');
    expect(body).toBe('hello you red from greeter\n');
  });

  test.each([
    ['no credentials', {}, 401, 'Unauthorized'],
    ['a bad token', { token: 'bad' }, 401, 'Unauthorized'],
    [
      'a token without the right',
      { token: 'good' },
      403,
      'Forbidden (user=reader, verb=get, resource=nodes, subresource(s)=[pods proxy])',
    ],
  ])('refuses %s', async (_, who, status, body) => {
    expect(await ask('/pods', who)).toEqual({ status, body });
  });

  test('refuses a certificate without the right, and lets it do what it may', async () => {
    expect((await ask('/pods', { keys: nobody })).status).toBe(403);
    expect((await ask('/stats/summary', { keys: nobody })).status).toBe(200);
  });

  test('lists pods and tells what they use', async () => {
    expect(JSON.parse((await ask('/pods')).body).items).toHaveLength(4);
    const stats = JSON.parse((await ask('/stats/summary')).body);
    expect(stats.node).toMatchObject({ nodeName: 'worker', cpu: { usageNanoCores: 250_000_000 } });
    const { body } = await ask('/metrics/resource');
    expect(body).toContain('pod_cpu_usage_seconds_total{namespace="default",pod="web"} 0.25 ');
    expect(body).toContain('resource_scrape_error 0\n');
    expect((await ask('/healthz')).body).toBe('ok');
  });

  function connect(path: string, protocol = 'v5.channel.k8s.io') {
    return new WebSocket(`wss://${node.address}:${node.port}${path}`, protocol, {
      ca: authority.certificate,
      cert: admin.certificate,
      key: admin.privateKey,
    });
  }

  /** What came on every channel, once the server has closed. */
  function collect(socket: WebSocket): Promise<Record<number, string>> {
    const channels: Record<number, string> = {};
    socket.on('message', (data: Buffer) => {
      const channel = data[0] ?? 0;
      channels[channel] = (channels[channel] ?? '') + data.subarray(1).toString();
    });
    return new Promise((resolve, reject) => {
      socket.on('close', () => resolve(channels)).on('error', reject);
    });
  }

  const exec = (...command: string[]) => {
    const pairs = command.map((word): [string, string] => ['command', word]);
    const query = new URLSearchParams(pairs);
    return connect(`/exec/default/web/main?input=1&output=1&error=1&${query}`);
  };

  test('runs a command and tells its exit code', async () => {
    const channels = await collect(exec('sh', '-c', 'echo "$COLOR" && false || exit 3'));
    expect(channels[1]).toBe('red\n');
    expect(JSON.parse(channels[3] ?? '')).toMatchObject({
      status: 'Failure',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    });
  });

  test('gives a command what is typed until the input is closed', async () => {
    const socket = exec('cat');
    const channels = collect(socket);
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(Buffer.from('\0typed'));
    socket.send(Buffer.of(255, 0));
    expect(await channels).toMatchObject({ 1: 'typed', 3: '{"metadata":{},"status":"Success"}' });
  });

  test('says that there is no such program', async () => {
    const channels = await collect(exec('frobnicate'));
    expect(JSON.parse(channels[3] ?? '')).toMatchObject({
      code: 500,
      message: expect.stringContaining('exec: "frobnicate": executable file not found in $PATH'),
    });
  });

  test('refuses a command in a container that does not run', async () => {
    const socket = connect('/exec/default/waiting/main?output=1&command=true');
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
    });
    expect(status).toBe(500);
  });

  test('forwards a port to this machine', async () => {
    await using echo = await startEcho();
    const socket = connect(`/portForward/default/web?port=${echo.port}`, 'v4.channel.k8s.io');
    let text = '';
    socket.on('message', (data: Buffer) => {
      if (data[0] === 0) text += data.subarray(1).toString('latin1');
    });
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(Buffer.from('\0ping'));
    const port = String.fromCharCode(echo.port & 0xff, echo.port >> 8);
    await eventually(() => expect(text).toBe(`${port}ping`));
    socket.close();
  });
});

async function startEcho(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
