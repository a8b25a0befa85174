import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '@liqo/kube';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ContainerRunner } from '../containers/container-runner.ts';
import { readLog } from '../containers/read-log.ts';
import { findPod, findRunning, type PodDirectory } from './find-container.ts';
import { HttpRefusal } from './http-refusal.ts';
import { forwardPorts, portProtocols } from './port-session.ts';
import {
  commandProtocols,
  type Outcome,
  StreamSession,
  type StreamWishes,
} from './stream-session.ts';
import { runInContainer } from './tiny-shell.ts';

export interface StreamParts {
  readonly pods: PodDirectory;
  readonly clock: Clock;
}

/** What to do with the connection once it has been switched. */
export interface StreamTask {
  readonly protocols: readonly string[];
  run(socket: WebSocket): Promise<void> | void;
}

/** What a request to switch protocols is about; throws when it is about nothing there is. */
export function findStreamTask(parts: StreamParts, url: URL): StreamTask {
  const [, verb, namespace = '', name = '', ...rest] = url.pathname.split('/');
  const query = url.searchParams;
  const container = rest.at(-1) ?? '';
  if (verb === 'portForward' || verb === 'portforward') {
    findPod(parts.pods, namespace, name);
    const ports = portsIn(query);
    return { protocols: portProtocols, run: (socket) => forwardPorts(socket, ports) };
  }
  if (verb !== 'exec' && verb !== 'attach') throw new HttpRefusal(404, 'page not found');
  const runner = findRunning(findPod(parts.pods, namespace, name), container);
  const wishes = wishesIn(query);
  const serve = verb === 'exec' ? execute : attach;
  return {
    protocols: commandProtocols,
    run: (socket) => serve(parts.clock, runner, new StreamSession(socket, wishes), query),
  };
}

/** Switches to WebSocket, in the best protocol that both sides speak. */
export function switchToWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  task: StreamTask,
): void {
  if (request.headers.upgrade?.toLowerCase() !== 'websocket') {
    throw new HttpRefusal(400, 'unable to upgrade: only WebSocket is spoken here');
  }
  const server = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => task.protocols.find((one) => offered.has(one)) ?? false,
  });
  server.handleUpgrade(request, socket, head, (webSocket) => {
    void task.run(webSocket);
  });
}

async function execute(
  clock: Clock,
  runner: ContainerRunner,
  session: StreamSession,
  query: URLSearchParams,
): Promise<void> {
  const command = query.getAll('command');
  const { env = {}, files = new Map() } = runner.provisions ?? {};
  const world = {
    env,
    files,
    stdin: session.stdin,
    stdout: (text: Uint8Array | string) => session.stdout(text),
    stderr: (text: Uint8Array | string) => session.stderr(text),
    clock,
    signal: session.closed,
  };
  const ending = runInContainer(command, world).then(
    (exitCode): Outcome => (exitCode === undefined ? notFound(command) : { exitCode }),
    (error: unknown): Outcome => ({ failure: String(error) }),
  );
  session.finish(await ending);
}

function notFound([program = '']: readonly string[]): Outcome {
  const fact = `exec: "${program}": executable file not found in $PATH`;
  return { failure: `error executing command in container: ${fact}` };
}

/** What the container writes from now on. */
async function attach(
  _clock: Clock,
  runner: ContainerRunner,
  session: StreamSession,
): Promise<void> {
  const log = runner.log(false);
  if (log) {
    const query = { follow: true, tailLines: 0 };
    for await (const chunk of readLog(log, query, session.closed)) session.stdout(chunk);
  }
  session.finish({ exitCode: 0 });
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
