import {
  type CallSignal,
  type Clock,
  type InProcessAnswer,
  JsonContent,
  JsonLines,
  TransportError,
} from '@liqo/kube';
import type { CutKind, Fault } from './fault.ts';
import { markCut } from './mark-cut.ts';
import { holdUp, tamperWithBody } from './tamper-with-body.ts';
import { untilAborted } from './until-aborted.ts';

/** What a caller in the same process gets to see of an answer. */
export async function deliverAnswer(
  answer: InProcessAnswer,
  fault: Fault,
  clock: Clock,
  signal: CallSignal,
): Promise<InProcessAnswer> {
  if (fault.silentAfter?.aborted) return silence(signal);
  if (fault.noAnswer !== undefined) return loseAnswer(fault.noAnswer, signal);
  if (!touchesContent(fault)) return holdUpAnswer(answer, fault, clock, signal);
  const body = markCut(tamperWithBody(bytesOf(answer), fault, clock, signal), fault.cut);
  return { ...answer, body: sendBody(body, fault.cut?.how, signal) };
}

/** The bytes of a body, however the server gives it. */
export function bytesOf({ body = '' }: InProcessAnswer): AsyncIterable<Uint8Array> {
  return typeof body === 'string' || body instanceof JsonContent ? encoded(String(body)) : body;
}

async function* encoded(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield Buffer.from(text);
}

function touchesContent({ rewriteLine, chunkBytes, cut }: Fault): boolean {
  return [rewriteLine, chunkBytes, cut].some((part) => part !== undefined);
}

function holdUpAnswer(
  answer: InProcessAnswer,
  fault: Fault,
  clock: Clock,
  signal: CallSignal,
): InProcessAnswer {
  const { eventsTakeMs, eventsLagMs, silentAfter } = fault;
  const isLate = [eventsTakeMs, eventsLagMs, silentAfter].some((part) => part !== undefined);
  if (!isLate) return answer;
  const late = <T>(pieces: AsyncIterable<T>) => holdUp(pieces, fault, clock, signal);
  const { body } = answer;
  return {
    ...answer,
    body: body instanceof JsonLines ? body.through(late) : late(bytesOf(answer)),
  };
}

async function* sendBody(
  body: AsyncIterable<Uint8Array | 'cut'>,
  how: CutKind | undefined,
  signal: CallSignal,
): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    if (piece !== 'cut') yield piece;
    else if (how === 'end') return;
    else if (how === 'stall') await silence(signal);
    else if (how !== undefined && how !== 'goAway') throw broken(how);
  }
}

function loseAnswer(how: CutKind, signal: CallSignal): Promise<InProcessAnswer> {
  if (how === 'stall') return silence(signal);
  if (how === 'end') return Promise.resolve({ status: 200 });
  return Promise.reject(broken(how));
}

function broken(how: CutKind): TransportError {
  if (how === 'refuse') return new TransportError('Cannot connect: refused', { sent: false });
  return new TransportError('Cannot read the answer: the connection broke', { sent: true });
}

/** Until the caller gives up. */
async function silence(signal: CallSignal): Promise<never> {
  await untilAborted(signal);
  throw signal.reason;
}
