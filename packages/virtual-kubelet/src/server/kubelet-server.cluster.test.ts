import { createServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ByteStream, type Client, mergePatch, Pod } from '@liqo/kube';
import {
  clientMessage,
  eventually,
  rejection,
  serverMessages,
  webSocketHeaders,
} from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { admin, type KubeletWorld, startKubeletWorld } from './testing/kubelet-world.ts';

const web = { namespace: 'shop', name: 'web' };

describe('a pod of a virtual node, through the API server of the consumer', () => {
  let world: KubeletWorld;
  let client: Client;

  beforeAll(async () => {
    world = await startKubeletWorld();
    client = world.consumer.client;
    await world.runPod('web', { log: 'one\ntwo\nthree', 'cpu-usage': '250m' });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
  });

  test('shows its log', async () => {
    expect(await text(await client.logs(web))).toBe('one\ntwo\nthree\n');
    expect(await text(await client.logs(web, { tailLines: 1 }))).toBe('three\n');
    expect(await text(await client.logs(web, { limitBytes: 5 }))).toBe('one\nt');
    const stamped = await text(await client.logs(web, { timestamps: true, tailLines: 1 }));
    expect(stamped).toMatch(/^20\d\d-.*Z three\n$/);
    const since = { sinceTime: '2100-01-01T00:00:00Z' };
    expect(await text(await client.logs(web, since))).toBe('');
  });

  test('shows its log as it grows, and the provider is left alone when nobody reads any more', async () => {
    await world.runPod('talker', { log: 'again', 'log-every': '50ms' });
    const stop = new AbortController();
    const { signal } = stop;
    const log = await client.logs({ ...web, name: 'talker' }, { follow: true, signal });
    let seen = '';
    const reading = (async () => {
      for await (const chunk of log) {
        seen += Buffer.from(chunk).toString();
        if (seen.length > 30) return;
      }
    })();
    await reading;
    expect(seen).toMatch(/^(again\n)+/);
    stop.abort();
    await eventually(() => expect(world.server.connections).toBe(0));
  });

  test('tells why there is no log, in the words of the provider', async () => {
    expect(await rejection(client.logs(web, { previous: true }))).toMatchObject({
      code: 400,
      message: 'previous terminated container "main" in pod "web" not found',
    });
    await world.bindPod('ghost');
    expect(await rejection(client.logs({ ...web, name: 'ghost' }))).toMatchObject({
      code: 404,
      message: expect.stringContaining('pods "ghost" not found'),
    });
  });

  const openWebSocket = async (
    verb: 'exec' | 'attach' | 'portforward',
    protocol: string,
    query: Record<string, string | boolean | string[]>,
  ) => {
    const headers = webSocketHeaders(protocol);
    const options = { protocol: 'websocket', headers, query };
    return (await client.connect(web, verb, options)).stream;
  };

  test.each(['v5.channel.k8s.io', 'v4.channel.k8s.io'])(
    'runs a command, over %s',
    async (protocol) => {
      const command = ['sh', '-c', 'echo out; cat /gone; exit 3'];
      const query = { command, stdout: true, stderr: true };
      const channels = await collect(await openWebSocket('exec', protocol, query));
      expect(channels).toMatchObject({
        1: 'out\n',
        2: 'cat: /gone: No such file or directory\n',
      });
      expect(JSON.parse(channels[3] ?? '')).toMatchObject({
        reason: 'NonZeroExitCode',
        details: { causes: [{ reason: 'ExitCode', message: '3' }] },
      });
    },
  );

  test('runs a command also where no network gives it an address [#2303]', async () => {
    expect((await client.get(Pod, web))?.status?.podIP).toBeUndefined();
    const query = { command: ['echo', 'out'], stdout: true };
    const channels = await collect(await openWebSocket('exec', 'v5.channel.k8s.io', query));
    expect(channels).toMatchObject({ 1: 'out\n' });
  });

  test('gives a command what is typed, and its end', async () => {
    const query = { command: ['cat'], stdin: true, stdout: true };
    const stream = await openWebSocket('exec', 'v5.channel.k8s.io', query);
    stream.write(clientMessage(Buffer.from('\0typed')));
    stream.write(clientMessage(Buffer.of(255, 0)));
    expect(await collect(stream)).toMatchObject({ 1: 'typed' });
  });

  test('is attached to', async () => {
    await world.runPod('chatty', { log: 'chat', 'log-every': '50ms' });
    const headers = webSocketHeaders('v5.channel.k8s.io');
    const options = { protocol: 'websocket', headers, query: { stdout: true } };
    const { stream } = await client.connect({ ...web, name: 'chatty' }, 'attach', options);
    let seen = '';
    for await (const message of serverMessages(stream)) {
      seen += Buffer.from(message.subarray(1)).toString();
      if (seen.includes('chat\n')) break;
    }
    stream.destroy();
    await eventually(() => expect(world.server.connections).toBe(0));
  });

  test('has its ports forwarded', async () => {
    await using echo = await startEcho();
    const ports = [String(echo.port)];
    const stream = await openWebSocket('portforward', 'v4.channel.k8s.io', { ports });
    stream.write(clientMessage(Buffer.from('\0ping')));
    let seen = '';
    for await (const message of serverMessages(stream)) {
      if (message[0] === 0) seen += Buffer.from(message.subarray(1)).toString('latin1');
      if (seen.endsWith('ping')) break;
    }
    stream.destroy();
  });

  test('has its refusals told with code and message, over both protocols', async () => {
    await world.bindPod('spirit');
    const spirit = { ...web, name: 'spirit' };
    const query = { command: ['true'], stdout: true };
    const headers = { 'x-stream-protocol-version': 'v4.channel.k8s.io' };
    const spdy = client.connect(spirit, 'exec', { protocol: 'SPDY/3.1', headers, query });
    const refusal = { code: 404, reason: 'NotFound', message: 'pods "spirit" not found' };
    expect(await rejection(spdy)).toMatchObject(refusal);
    const older = { protocol: 'websocket', headers: webSocketHeaders('v4.channel.k8s.io'), query };
    expect(await rejection(client.connect(spirit, 'exec', older))).toMatchObject(refusal);
  });

  test('cannot be taken for another one over there', async () => {
    const stranger = { namespace: 'shop-rome', name: 'stranger' };
    const containers = [{ name: 'main', image: 'example.org/app' }];
    await world.provider.client.create(Pod, { metadata: stranger, spec: { containers } });
    const reply = await world.ask('/containerLogs/shop/stranger/main', {
      keys: world.keysOf(admin),
    });
    expect(reply).toMatchObject({ status: 404, body: expect.stringContaining('does not exist') });
  });

  test('is listed with the others, and is running when it is', async () => {
    const keys = world.keysOf(admin);
    const names = async (path: string) =>
      JSON.parse((await world.ask(path, { keys })).body).items.map(
        (pod: Pod) => pod.metadata?.name,
      );
    await client.patch(Pod, web, mergePatch({ status: { phase: 'Running' } }), {
      subresource: 'status',
    });
    await eventually(async () => expect(await names('/runningpods/')).toEqual(['web']));
    expect(await names('/pods')).toContain('ghost');
  });

  test('has a page of statistics, also without anybody who measures', async () => {
    const keys = world.keysOf(admin);
    const { body } = await world.ask('/stats/summary', { keys });
    expect(JSON.parse(body).node).toMatchObject({ nodeName: 'mynode', cpu: { usageNanoCores: 0 } });
    expect(JSON.parse(body).pods).toContainEqual(
      expect.objectContaining({ podRef: expect.objectContaining({ name: 'web' }) }),
    );
    expect(await world.ask('/metrics/cadvisor', { keys })).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: '# The provider has no metrics of this kind\n',
    });
    expect((await world.ask('/metrics/resource', { keys })).body).toContain(
      'node_memory_working_set_bytes 0 ',
    );
  });
});

/** What came on every channel, once the server has closed. */
async function collect(stream: ByteStream): Promise<Record<number, string>> {
  const channels: Record<number, string> = {};
  for await (const message of serverMessages(stream)) {
    const channel = message[0] ?? 0;
    const said = Buffer.from(message.subarray(1)).toString();
    channels[channel] = (channels[channel] ?? '') + said;
  }
  stream.destroy();
  return channels;
}

async function startEcho(): Promise<AsyncDisposable & { readonly port: number }> {
  const server: Server = createServer((socket) => socket.pipe(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
