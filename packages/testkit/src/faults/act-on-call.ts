import {
  CallEnd,
  type CallSignal,
  type Clock,
  type InProcessAnswer,
  type InProcessServer,
  sleep,
  type TransportRequest,
} from '@liqo/kube';
import { isWrite } from './api-call.ts';
import type { Fault } from './fault.ts';

/** A request under way. */
export interface SentRequest {
  readonly request: TransportRequest;
  /** Aborts when the caller does not want an answer any more. */
  readonly signal: CallSignal;
  readonly serve: InProcessServer;
  readonly clock: Clock;
}

const json = { 'content-type': 'application/json' };

/** Lets a request take effect as far as a fault allows, and says what shall be answered to it, at the time for that. */
export async function actOnCall(fault: Fault, sent: SentRequest): Promise<InProcessAnswer> {
  await pass(sent.clock, fault.requestTakesMs);
  await fault.before?.();
  const answer = takesEffect(fault) ? await serve(fault, sent) : undefined;
  await fault.holdHeaders;
  await pass(sent.clock, fault.answerTakesMs);
  if (fault.answer) return { ...fault.answer, headers: { ...json, ...fault.answer.headers } };
  return answer ?? { status: 200 };
}

function takesEffect({ answer, noAnswer, takesEffect = false }: Fault): boolean {
  return takesEffect || (answer === undefined && noAnswer === undefined);
}

async function serve(fault: Fault, sent: SentRequest): Promise<InProcessAnswer> {
  const { request } = sent;
  const signal = signalAtArrival(fault, sent);
  const first = await sent.serve(request, signal);
  const second = fault.twice ? await sent.serve(request, signal) : first;
  await fault.after?.();
  return fault.twice === 'second answer' ? second : first;
}

/** What is on its way arrives, whether anybody waits for it or not; but nobody begins to read then. */
function signalAtArrival({ requestTakesMs }: Fault, { request, signal }: SentRequest): CallSignal {
  const isOnItsWay = requestTakesMs !== undefined && isWrite(request);
  return isOnItsWay ? new CallEnd() : signal;
}

/** Goes on though the caller gives up. */
async function pass(clock: Clock, ms = 0): Promise<void> {
  if (ms > 0) await sleep(clock, ms);
}
