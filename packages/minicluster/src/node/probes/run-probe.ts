import { connect } from 'node:net';
import type { Clock } from '@liqo/kube';
import type { Container, EnvVar, Probe } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerProcess } from '../containers/container-process.ts';
import { expandVariables } from '../volumes/resolve-environment.ts';
import { describeFailure, httpGet, httpTarget, localAddress } from './http-get.ts';
import { resolvePort } from './resolve-port.ts';

/** What came of asking. A warning counts as a success that somebody should know of. */
export interface ProbeAnswer {
  readonly result: 'failure' | 'success' | 'warning';
  readonly output: string;
}

export interface ProbeParts {
  readonly clock: Clock;
  readonly container: Container;
  readonly podIP: string;
  readonly process: ContainerProcess;
}

const success: ProbeAnswer = { result: 'success', output: '' };

/** Asks once, until the signal aborts. Rejects when it cannot ask, which says nothing about the container. */
export async function runProbe(
  parts: ProbeParts,
  probe: Probe,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000;
  const late = new AbortController();
  const giveUp = () => late.abort();
  const timer = parts.clock.after(timeoutMs, giveUp);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    if (probe.exec)
      return await askCommand(parts, probe.exec.command ?? [], timeoutMs, late.signal);
    if (probe.httpGet) return await askHttp(parts, probe.httpGet, late.signal);
    if (probe.tcpSocket) return await askTcp(parts, probe.tcpSocket, late.signal);
    return success;
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', giveUp);
  }
}

/** Containers in which no command can be run are taken at their word. */
async function askCommand(
  { container, process }: ProbeParts,
  command: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  if (!process.exec) return success;
  const words = command.map((word) => expandVariables(word, staticVariables(container)));
  const { exitCode, output } = await process.exec(words, signal);
  if (signal.aborted) {
    const shown = JSON.stringify(words.join(' '));
    const lasted = `timed out after ${timeoutMs / 1000}s`;
    return { result: 'failure', output: `command timed out: ${shown} ${lasted}` };
  }
  return { result: exitCode === 0 ? 'success' : 'failure', output };
}

function staticVariables({ env = [] }: Container): Record<string, string> {
  const given = env.filter((one): one is EnvVar & { value: string } => one.value !== undefined);
  return Object.fromEntries(given.map(({ name, value }) => [name, value]));
}

async function askHttp(
  { container, podIP }: ProbeParts,
  action: NonNullable<Probe['httpGet']>,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const target = httpTarget(action, container, podIP, 'probe');
  try {
    const { statusCode, body } = await httpGet(target, signal);
    if (statusCode >= 200 && statusCode < 300) return { result: 'success', output: body };
    if (statusCode >= 300 && statusCode < 400) {
      const output = `Probe terminated redirects, Response body: ${body}`;
      return { result: 'warning', output };
    }
    return { result: 'failure', output: `HTTP probe failed with statuscode: ${statusCode}` };
  } catch (error) {
    return { result: 'failure', output: error instanceof Error ? error.message : String(error) };
  }
}

function askTcp(
  { container, podIP }: ProbeParts,
  action: NonNullable<Probe['tcpSocket']>,
  signal: AbortSignal,
): Promise<ProbeAnswer> {
  const port = resolvePort(action.port, container);
  const shown = action.host || podIP;
  return new Promise((resolve) => {
    const socket = connect({ host: action.host || localAddress, port, signal });
    const settle = (answer: ProbeAnswer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(success));
    socket.once('error', (error) => {
      const late = `dial tcp ${shown}:${port}: i/o timeout`;
      const output = signal.aborted ? late : describeFailure(error, shown, port);
      settle({ result: 'failure', output });
    });
  });
}
