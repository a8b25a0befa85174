import { createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import type { SpdySession } from '../../spdy/spdy-session.ts';
import { startTestKubelet, type TestKubelet } from './testing/start-test-kubelet.ts';

describe('streams of KubeletServer', () => {
  let kubelet: TestKubelet;

  beforeAll(async () => {
    kubelet = await startTestKubelet();
  });
  afterAll(() => kubelet?.[Symbol.asyncDispose]());

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
    return kubelet.webSocket(`/exec/default/web/main?input=1&output=1&error=1&${query}`);
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
    const socket = kubelet.webSocket('/exec/default/waiting/main?output=1&command=true');
    const status = await new Promise((resolve) => {
      socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
    });
    expect(status).toBe(500);
  });

  test('forwards a port to this machine', async () => {
    await using echo = await startEcho();
    const socket = kubelet.webSocket(
      `/portForward/default/web?port=${echo.port}`,
      'v4.channel.k8s.io',
    );
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

  async function openStreams(session: SpdySession, ...names: string[]): Promise<Duplex[]> {
    const streams: Duplex[] = [];
    for (const name of names) {
      streams.push((await session.open(new Map([['streamtype', name]]))).bytes);
    }
    return streams;
  }

  test('runs a command over SPDY: input until its end, outputs apart, the exit code last', async () => {
    const path = '/exec/default/web/main?input=1&output=1&error=1&command=sh';
    const session = await kubelet.spdy(path);
    const [errors, stdin, stdout, stderr] = await openStreams(
      session,
      'error',
      'stdin',
      'stdout',
      'stderr',
    );
    stdin?.end('echo out; cat missing\nexit 5');
    expect(stdout && (await text(stdout))).toBe('out\n');
    expect(stderr && (await text(stderr))).toBe('cat: missing: No such file or directory\n');
    expect(errors && JSON.parse(await text(errors))).toMatchObject({
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '5' }] },
    });
    await session.closed;
  });

  test('has one screen on a terminal', async () => {
    const path = '/exec/default/web/main?output=1&error=1&tty=1&command=cat&command=missing';
    const session = await kubelet.spdy(path);
    const [, stdout] = await openStreams(session, 'error', 'stdout', 'resize');
    expect(stdout && (await text(stdout))).toBe('cat: missing: No such file or directory\r\n');
  });

  test('is a shell with a prompt that shows what is typed', async () => {
    const socket = kubelet.webSocket('/exec/default/web/main?input=1&output=1&tty=1&command=sh');
    const channels = collect(socket);
    await new Promise((resolve) => socket.on('open', resolve));
    socket.send(Buffer.from('\0echo $COLOR\r'));
    socket.send(Buffer.from('\0exit\r'));
    expect((await channels)[1]).toBe('# echo $COLOR\r\nred\r\n# exit\r\n');
  });

  test('refuses whoever wants a stream in one form only', async () => {
    const path = '/exec/default/web/main?output=1&command=true';
    const refusal = await kubelet.trySpdy(path, 'v4.channel.k8s.io', 'application/json');
    expect(refusal).toMatch(/^406 406: Not Acceptable/);
  });

  test('refuses a stream that was not asked for', async () => {
    const session = await kubelet.spdy('/exec/default/web/main?output=1&command=true');
    await expect(openStreams(session, 'stdin')).rejects.toThrow('the other side refused it');
    session.destroy();
  });

  test('gives up a client that does not open its streams', async () => {
    const session = await kubelet.spdy('/exec/default/web/main?output=1&command=true');
    await openStreams(session, 'error');
    await kubelet.clock.advance(30_000);
    await session.closed;
  });

  test.each([
    [
      '/exec/default/web/main?output=1&command=true',
      'portforward.k8s.io',
      '403 unable to upgrade: unable to negotiate protocol: client supports [v9.channel.k8s.io portforward.k8s.io], server accepts [v4.channel.k8s.io]',
    ],
    [
      '/exec/default/web/main?command=true',
      'v4.channel.k8s.io',
      '400 you must specify at least 1 of stdin, stdout, stderr',
    ],
    [
      '/exec/default/waiting/main?output=1&command=true',
      'v4.channel.k8s.io',
      '500 container not found ("main")',
    ],
    ['/portForward/default/absent', 'portforward.k8s.io', '404 pod "absent" does not exist'],
  ])('refuses %s over %s', async (path, protocol, refusal) => {
    expect(await kubelet.trySpdy(path, protocol)).toBe(refusal);
  });

  test('has streams for those who ask for another protocol only', async () => {
    expect(await kubelet.ask('/exec/default/web/main?output=1&command=true')).toEqual({
      status: 500,
      body: 'Upgrade request required',
    });
  });

  test('forwards ports over SPDY, a pair of streams for every connection, in any order', async () => {
    await using echo = await startEcho();
    const session = await kubelet.spdy('/portForward/default/web', 'portforward.k8s.io');
    const open = async (streamtype: string, requestid: string, port = echo.port) => {
      const headers = { streamtype, requestid, port: String(port) };
      return (await session.open(new Map(Object.entries(headers)))).bytes;
    };
    const data = await open('data', '0');
    const otherErrors = await open('error', '1');
    const errors = await open('error', '0');
    const other = await open('data', '1');
    data.end('one');
    other.end('other');
    const all = await Promise.all([data, other, errors, otherErrors].map((one) => text(one)));
    expect(all).toEqual(['one', 'other', '', '']);
    await expect(open('data', '2', 0)).rejects.toThrow('the other side refused it');
    session.close();
    await session.closed;
  });

  test('tells over SPDY of a port where nobody listens, and goes on', async () => {
    const session = await kubelet.spdy('/portForward/default/web', 'portforward.k8s.io');
    const open = async (streamtype: string) => {
      const headers = { streamtype, requestid: '0', port: '9' };
      return (await session.open(new Map(Object.entries(headers)))).bytes;
    };
    const [errors, data] = [await open('error'), await open('data')];
    expect(await text(errors)).toMatch(/^error forwarding port 9 to pod web, uid .*: connect ECON/);
    expect(await text(data)).toBe('');
    session.destroy();
  });

  test('holds back a client that does not read what its command writes', async () => {
    const session = await kubelet.spdy('/exec/default/web/main?input=1&output=1&command=cat');
    const [, stdin, stdout] = await openStreams(session, 'error', 'stdin', 'stdout');
    const size = 40_000_000;
    stdin?.end(Buffer.alloc(size));
    let received = 0;
    // Whoever listens for it makes a stream fill its buffer.
    stdout?.once('readable', () => undefined);
    await eventually(() => expect(stdout?.readableLength).toBeGreaterThan(100_000));
    expect(stdin?.writableFinished).toBe(false);
    for await (const chunk of stdout ?? []) received += chunk.length;
    expect(received).toBe(size);
    session.destroy();
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
