import { type Clock, type InProcessAnswer, TransportError } from '@liqo/kube';
import type { CutKind, Fault } from './fault.ts';
import { markCut } from './mark-cut.ts';
import { tamperWithBody } from './tamper-with-body.ts';
import { untilAborted } from './until-aborted.ts';

/** What a caller in the same process gets to see of an answer. */
export async function deliverAnswer(
  answer: InProcessAnswer,
  fault: Fault,
  clock: Clock,
  signal: AbortSignal,
): Promise<InProcessAnswer> {
  if (fault.silentAfter?.aborted) return silence(signal);
  if (fault.noAnswer !== undefined) return loseAnswer(fault.noAnswer, signal);
  if (!touchesBody(fault)) return answer;
  const body = markCut(tamperWithBody(bytesOf(answer), fault, clock, signal), fault.cut);
  return { ...answer, body: sendBody(body, fault.cut?.how, signal) };
}

/** The bytes of a body, however the server gives it. */
export function bytesOf({ body = '' }: InProcessAnswer): AsyncIterable<Uint8Array> {
  return typeof body === 'string' ? encoded(body) : body;
}

async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}

function touchesBody(fault: Fault): boolean {
  const { rewriteLine, chunkBytes, cut, eventsTakeMs, eventsLagMs, silentAfter } = fault;
  const parts = [rewriteLine, chunkBytes, cut, eventsTakeMs, eventsLagMs, silentAfter];
  return parts.some((part) => part !== undefined);
}

async function* sendBody(
  body: AsyncIterable<Uint8Array | 'cut'>,
  how: CutKind | undefined,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    if (piece !== 'cut') yield piece;
    else if (how === 'end') return;
    else if (how === 'stall') await silence(signal);
    else if (how !== undefined && how !== 'goAway') throw broken(how);
  }
}

function loseAnswer(how: CutKind, signal: AbortSignal): Promise<InProcessAnswer> {
  if (how === 'stall') return silence(signal);
  if (how === 'end') return Promise.resolve({ status: 200 });
  return Promise.reject(broken(how));
}

function broken(how: CutKind): TransportError {
  if (how === 'refuse') return new TransportError('Cannot connect: refused', { sent: false });
  return new TransportError('Cannot read the answer: the connection broke', { sent: true });
}

/** Until the caller gives up. */
async function silence(signal: AbortSignal): Promise<never> {
  await untilAborted(signal);
  throw signal.reason;
}
