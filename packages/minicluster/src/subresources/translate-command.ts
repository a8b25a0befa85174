import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type CallSignal, isJsonObject } from '@liqo/kube';
import type { Status } from 'kubernetes-types/meta/v1.d.ts';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { SpdySession } from '../spdy/spdy-session.ts';
import type { CommandStreams, StreamWishes } from '../streams/command-streams.ts';
import { WebSocketCommand } from '../streams/web-socket-command.ts';
import { askBackend, authorityOf, type Backend } from './backend.ts';
import { commandFailure, readCommandStatus } from './command-status.ts';
import { offeredProtocols, webSocketAnswer } from './web-socket-answer.ts';

/** The one version over WebSocket in which an input can be ended, and so the one that SPDY can stand in for. */
const translated = 'v5.channel.k8s.io';
const spdyProtocols = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

/** Whether the streams of a request are translated; all others are passed on to the kubelet as they are. */
export function isTranslated(request: ApiRequest): boolean {
  return offeredProtocols(request).includes(translated);
}

/** Runs a command for a client on a WebSocket with a kubelet on SPDY (KEP-4006). What goes wrong is told on the WebSocket. */
export function translateCommand(
  kubelet: Backend,
  path: string,
  request: ApiRequest,
  wishes: StreamWishes,
): ApiAnswer {
  return webSocketAnswer(request, translated, (socket) => {
    const streams = new WebSocketCommand(socket, wishes);
    void run(kubelet, path, streams, wishes)
      .catch((error: unknown) => commandFailure(error))
      .then((status) => streams.finish(status));
  });
}

async function run(
  kubelet: Backend,
  path: string,
  streams: CommandStreams,
  wishes: StreamWishes,
): Promise<Status> {
  const connection = await connect(kubelet, path, streams.closed);
  if (!('writable' in connection)) return connection;
  const session = new SpdySession(connection, { role: 'client' });
  streams.closed.addEventListener('abort', () => session.destroy(), { once: true });
  try {
    return await copyStreams(session, streams, wishes);
  } finally {
    session.close();
  }
}

/** The switched connection, or what the kubelet said instead. */
async function connect(
  kubelet: Backend,
  path: string,
  signal: CallSignal,
): Promise<Duplex | Status> {
  const version = { 'x-stream-protocol-version': spdyProtocols };
  const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1', ...version };
  const request = { method: 'POST', path, headers, signal };
  const answer = await askBackend(kubelet, request).catch((error: Error) => {
    const url = `https://${authorityOf(kubelet)}${path}`;
    throw new Error(`error sending request: Post "${url}": ${error.message}`, { cause: error });
  });
  if ('connection' in answer) return answer.connection;
  const said = await text(answer.body);
  return statusIn(said) ?? commandFailure(`unable to upgrade connection: ${said.trim()}`);
}

function statusIn(said: string): Status | undefined {
  try {
    const parsed: unknown = JSON.parse(said);
    return isJsonObject(parsed) && parsed.kind === 'Status' ? (parsed as Status) : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the streams in the order in which every client of a kubelet does, and copies until the command has ended. */
async function copyStreams(
  session: SpdySession,
  streams: CommandStreams,
  { stdin, stdout, stderr, tty }: StreamWishes,
): Promise<Status> {
  const open = async (name: string) => (await session.open(new Map([['streamtype', name]]))).bytes;
  const errors = await open('error');
  const input = stdin && (await open('stdin'));
  const output = stdout && (await open('stdout'));
  const faults = stderr && !tty && (await open('stderr'));
  const sizes = tty && (await open('resize'));
  const copies = [
    output && copyOut(output, (chunk) => streams.stdout(chunk)),
    faults && copyOut(faults, (chunk) => streams.stderr(chunk)),
  ];
  if (input) void copyIn(streams.stdin, input.resume());
  if (sizes) void copyIn(streams.resizes, sizes.resume());
  const said = text(errors);
  await Promise.all(copies);
  return readCommandStatus(await said);
}

async function copyOut(from: Duplex, to: (chunk: Uint8Array) => Promise<void>): Promise<void> {
  for await (const chunk of from.iterator({ destroyOnReturn: false })) await to(chunk);
}

/** Whatever cannot be written any more is not wanted any more. */
async function copyIn(from: AsyncIterable<Uint8Array>, to: Duplex): Promise<void> {
  for await (const chunk of from) {
    await new Promise<void>((resolve) => to.write(chunk, () => resolve()));
  }
  to.end();
}
