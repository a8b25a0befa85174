import { type Clock, parseTime } from '@liqo/kube';
import type { ContainerLog } from '../containers/container-log.ts';
import type { ContainerRunner } from '../containers/container-runner.ts';
import type { LogQuery } from '../containers/read-log.ts';
import { HttpRefusal } from './http-refusal.ts';

export interface LogRequest extends LogQuery {
  readonly previous: boolean;
}

/** Reads what is asked of a log; throws when it makes no sense. */
export function parseLogRequest(query: URLSearchParams, clock: Clock): LogRequest {
  const sinceSeconds = countOf(query, 'sinceSeconds');
  const sinceTime = query.get('sinceTime');
  if (sinceSeconds !== undefined && sinceTime) throw invalid();
  const stream = query.get('stream');
  return {
    follow: isSet(query, 'follow'),
    previous: isSet(query, 'previous'),
    timestamps: isSet(query, 'timestamps'),
    tailLines: countOf(query, 'tailLines'),
    limitBytes: countOf(query, 'limitBytes'),
    sinceMs: sinceSeconds !== undefined ? clock.now() - sinceSeconds * 1000 : timeOf(sinceTime),
    stream: stream === 'Stdout' ? 'stdout' : stream === 'Stderr' ? 'stderr' : undefined,
  };
}

/** The log that is meant, or why there is none, in the kubelet's words. */
export function selectLog(pod: string, runner: ContainerRunner, previous: boolean): ContainerLog {
  const { name, view } = runner;
  const log = runner.log(previous);
  if (log) return log;
  const where = `container "${name}" in pod "${pod}"`;
  if (previous) throw new HttpRefusal(400, `previous terminated ${where} not found`);
  throw new HttpRefusal(
    400,
    `${where} is waiting to start: ${whatFor(view.state.waiting?.reason)}`,
  );
}

function whatFor(reason: string | undefined): string {
  if (reason === 'ErrImagePull') return "image can't be pulled";
  if (reason === 'ImagePullBackOff') return 'trying and failing to pull image';
  return reason ?? 'ContainerCreating';
}

function isSet(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  return text !== null && text !== 'false' && text !== '0';
}

function countOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d+$/.test(text)) return Number(text);
  throw invalid();
}

function timeOf(text: string | null): number | undefined {
  if (!text) return undefined;
  try {
    return parseTime(text);
  } catch {
    throw new HttpRefusal(400, '{"message": "Unable to decode query."}');
  }
}

function invalid(): HttpRefusal {
  return new HttpRefusal(422, '{"message": "Invalid request."}');
}
