import type { Duplex } from 'node:stream';
import type { Clock } from '@liqo/kube';
import type { WebSocket } from 'ws';
import type { CommandStreams, StreamWishes } from '../../streams/command-streams.ts';
import { commandProtocols, WebSocketCommand } from '../../streams/web-socket-command.ts';
import type { ContainerRunner } from '../containers/container-runner.ts';
import { readLog } from '../containers/read-log.ts';
import { type Outcome, statusOf } from './command-outcome.ts';
import { findPod, findRunning, type PodDirectory } from './find-container.ts';
import { HttpRefusal } from './http-refusal.ts';
import { acceptSpdyCommand, spdyCommandProtocols } from './spdy-command.ts';
import { forwardSpdyPorts, spdyPortProtocols } from './spdy-ports.ts';
import { behindTerminal } from './terminal-streams.ts';
import { runInContainer } from './tiny-shell.ts';
import { forwardWebSocketPorts, webSocketPortProtocols } from './web-socket-ports.ts';
import type { WrittenFiles } from './written-files.ts';

export interface StreamParts {
  readonly pods: PodDirectory;
  readonly clock: Clock;
  readonly written: WrittenFiles;
}

/** What to do with the connection once it has been switched, and what can be spoken on it, the best first. */
export interface StreamTask {
  readonly webSocketProtocols: readonly string[];
  readonly spdyProtocols: readonly string[];
  /** Throws an `HttpRefusal` when the request says too little for a WebSocket. */
  overWebSocket(): (socket: WebSocket) => void;
  overSpdy(connection: Duplex): void;
}

const verbs: readonly string[] = ['exec', 'attach', 'portForward', 'portforward'];

/** Whether a path is one that is asked for with another protocol. */
export function isStreamPath(path: string): boolean {
  return verbs.includes(path.split('/')[1] ?? '');
}

/** What a request to switch protocols is about; throws when it is about nothing there is. */
export function findStreamTask(parts: StreamParts, url: URL): StreamTask {
  const [, verb = '', namespace = '', name = '', ...rest] = url.pathname.split('/');
  if (!verbs.includes(verb)) throw new HttpRefusal(404, 'page not found');
  const worker = findPod(parts.pods, namespace, name);
  if (verb !== 'exec' && verb !== 'attach') return portTask(worker.pod, url.searchParams);
  const runner = findRunning(worker, rest.at(-1) ?? '');
  const wishes = wishesIn(url.searchParams);
  const command = url.searchParams.getAll('command');
  return commandTask(parts.clock, wishes, (streams) =>
    verb === 'exec'
      ? execute(parts, runner, { streams, command, isTerminal: wishes.tty })
      : attach(runner, streams),
  );
}

function portTask(pod: Parameters<typeof forwardSpdyPorts>[1], query: URLSearchParams): StreamTask {
  return {
    webSocketProtocols: webSocketPortProtocols,
    spdyProtocols: spdyPortProtocols,
    overWebSocket: () => {
      const ports = portsIn(query);
      return (socket) => forwardWebSocketPorts(socket, pod, ports);
    },
    overSpdy: (connection) => forwardSpdyPorts(connection, pod),
  };
}

function commandTask(
  clock: Clock,
  wishes: StreamWishes,
  task: (streams: CommandStreams) => Promise<void>,
): StreamTask {
  const serve = (streams: CommandStreams) => task(wishes.tty ? behindTerminal(streams) : streams);
  return {
    webSocketProtocols: commandProtocols,
    spdyProtocols: spdyCommandProtocols,
    overWebSocket: () => (socket) => void serve(new WebSocketCommand(socket, wishes)),
    overSpdy: async (connection) => {
      const streams = await acceptSpdyCommand(connection, wishes, clock);
      if (streams) await serve(streams);
    },
  };
}

interface Execution {
  readonly streams: CommandStreams;
  readonly command: readonly string[];
  readonly isTerminal: boolean;
}

async function execute(
  parts: StreamParts,
  runner: ContainerRunner,
  { streams, command, isTerminal }: Execution,
): Promise<void> {
  const { env = {}, files: mounted = new Map() } = runner.provisions ?? {};
  const written = parts.written.of(runner);
  const files = new Map([...mounted, ...written]);
  const world = {
    env,
    files,
    writeFile: (path: string, bytes: Uint8Array) => {
      files.set(path, bytes);
      written.set(path, bytes);
    },
    isTerminal,
    stdin: streams.stdin,
    stdout: (text: Uint8Array | string) => streams.stdout(text),
    stderr: (text: Uint8Array | string) => streams.stderr(text),
    clock: parts.clock,
    signal: streams.closed,
  };
  const ending = runInContainer(command, world).then(
    (exitCode): Outcome => (exitCode === undefined ? notFound(command) : { exitCode }),
    (error: unknown): Outcome => ({ failure: String(error) }),
  );
  await streams.finish(statusOf(await ending));
}

function notFound([program = '']: readonly string[]): Outcome {
  const fact = `exec: "${program}": executable file not found in $PATH`;
  return { failure: `error executing command in container: ${fact}` };
}

/** What the container writes from now on. */
async function attach(runner: ContainerRunner, streams: CommandStreams): Promise<void> {
  const log = runner.log(false);
  const follow = async (stream: 'stdout' | 'stderr') => {
    const query = { follow: true, tailLines: 0, stream };
    if (!log) return;
    for await (const chunk of readLog(log, query, streams.closed)) await streams[stream](chunk);
  };
  await Promise.all([follow('stdout'), follow('stderr')]);
  await streams.finish(statusOf({ exitCode: 0 }));
}

/** The API server spells them as the kubelet's API does, other clients as the pod's. */
function wishesIn(query: URLSearchParams): StreamWishes {
  const isSet = (...names: readonly string[]) =>
    names.some((name) => ['1', 'true'].includes(query.get(name) ?? ''));
  const wishes = {
    stdin: isSet('input', 'stdin'),
    stdout: isSet('output', 'stdout'),
    stderr: isSet('error', 'stderr'),
    tty: isSet('tty'),
  };
  if (wishes.stdin || wishes.stdout || wishes.stderr) return wishes;
  throw new HttpRefusal(400, 'you must specify at least 1 of stdin, stdout, stderr');
}

function portsIn(query: URLSearchParams): readonly number[] {
  const texts = [...query.getAll('ports'), ...query.getAll('port')].flatMap((text) =>
    text.split(','),
  );
  const ports = texts.map(Number);
  const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536;
  if (ports.length > 0 && ports.every(isPort)) return ports;
  throw new HttpRefusal(400, 'query parameter "port" is required');
}
