import { formatMicroTime } from '@liqo/kube';
import type { ContainerLog, LogLine } from './container-log.ts';

/** As in the query of a pod's log. */
export interface LogQuery {
  readonly follow?: boolean;
  readonly timestamps?: boolean;
  /** Lines before this time are left out. */
  readonly sinceMs?: number | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly stream?: LogLine['stream'] | undefined;
}

/** The text of a log, as it comes when followed, until it ends, the limit is reached or the signal aborts. */
export async function* readLog(
  log: ContainerLog,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = query.limitBytes ?? Number.POSITIVE_INFINITY;
  for await (const line of wantedLines(log, query, signal)) {
    const bytes = Buffer.from(formatLine(line, query));
    const shown = bytes.subarray(0, Math.min(left, bytes.length));
    left -= shown.length;
    if (shown.length > 0) yield shown;
    if (left <= 0) return;
  }
}

async function* wantedLines(log: ContainerLog, query: LogQuery, signal: AbortSignal) {
  let next = startOf(log, query);
  while (!signal.aborted) {
    const { first, lines } = log.lines();
    const news = lines.slice(Math.max(0, next - first));
    // Before the reader gets its turn: more may be written while it has it.
    next = first + lines.length;
    for (const line of news) if (isWanted(line, query)) yield line;
    if (!query.follow || (log.ended && !hasMore(log, next))) return;
    await log.more(signal);
  }
}

function hasMore(log: ContainerLog, next: number): boolean {
  const { first, lines } = log.lines();
  return first + lines.length > next;
}

function startOf(log: ContainerLog, query: LogQuery): number {
  const { first, lines } = log.lines();
  if (query.tailLines === undefined) return first;
  if (query.tailLines === 0) return first + lines.length;
  const wanted = [...lines.keys()].filter((index) => {
    const line = lines[index];
    return line !== undefined && isWanted(line, query);
  });
  return first + (wanted.at(-query.tailLines) ?? wanted[0] ?? lines.length);
}

function isWanted(line: LogLine, { sinceMs, stream }: LogQuery): boolean {
  return (sinceMs === undefined || line.atMs >= sinceMs) && (!stream || line.stream === stream);
}

/** Kubelets write nanoseconds; a clock of milliseconds has no more to tell. */
function formatLine({ atMs, text }: LogLine, { timestamps }: LogQuery): string {
  if (!timestamps) return `${text}\n`;
  return `${formatMicroTime(atMs).replace('Z', '000Z')} ${text}\n`;
}
