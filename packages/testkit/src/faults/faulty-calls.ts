import {
  type Clock,
  type InProcessAnswer,
  type InProcessServer,
  InProcessTransport,
  type Transport,
} from '@liqo/kube';
import type { CallInterceptor } from '@liqo/minicluster';
import { actOnCall, type SentRequest } from './act-on-call.ts';
import { type ApiCall, CallReader } from './api-call.ts';
import { deliverAnswer } from './deliver-answer.ts';
import { type FaultPlan, noFaults } from './fault-plan.ts';
import { serveOver } from './serve-over.ts';

export interface FaultyCallsOptions {
  readonly clock: Clock;
  readonly plan?: FaultPlan;
  /** Told of every call when it begins: for what happens before several servers, in the order in which it does. */
  readonly onCall?: (call: ApiCall) => void;
}

/**
 * Calls that are seen, counted, and go wrong as planned. Put it under everything at once, as the `intercept` of a
 * minicluster, or under the clients of one process with `under`: the same plan then speaks for all that passes here.
 */
export class FaultyCalls {
  /** May be changed at any time: it is asked when a call begins. */
  plan: FaultPlan;
  /** Everything that was asked, in order, whatever became of it. */
  readonly calls: ApiCall[] = [];
  readonly #clock: Clock;
  readonly #onCall: FaultyCallsOptions['onCall'];
  readonly #reader = new CallReader();

  constructor({ clock, plan = noFaults, onCall }: FaultyCallsOptions) {
    this.#clock = clock;
    this.#onCall = onCall;
    this.plan = plan;
  }

  /** The calls of one caller. */
  callsOf(who: string): readonly ApiCall[] {
    return this.calls.filter((call) => call.who === who);
  }

  /** For a minicluster: callers are its users. */
  readonly intercept: CallInterceptor = ({ user, request, signal }, handle) =>
    this.#pass(user, { request, signal, serve: handle, clock: this.#clock });

  /** For a server in the process. */
  before(serve: InProcessServer, who: string): InProcessServer {
    return (request, signal) => this.#pass(who, { request, signal, serve, clock: this.#clock });
  }

  /** For one client, of whatever server. The transport below is disposed of with the one above. */
  under(transport: Transport, who: string): Transport {
    const sending = new InProcessTransport(this.before(serveOver(transport), who));
    const upgrading = new InProcessTransport(this.before(upgradeOver(transport), who));
    return {
      host: transport.host,
      send: (request, signal) => sending.send(request, signal),
      upgrade: (request, signal) => upgrading.upgrade(request, signal),
      async [Symbol.asyncDispose]() {
        const parts = [sending, upgrading, transport];
        await Promise.all(parts.map((part) => part[Symbol.asyncDispose]()));
      },
    };
  }

  async #pass(who: string, sent: SentRequest): Promise<InProcessAnswer> {
    const call = this.#reader.read(who, sent.request);
    this.calls.push(call);
    this.#onCall?.(call);
    const fault = this.plan(call);
    if (!fault) return sent.serve(sent.request, sent.signal);
    const answer = await actOnCall(fault, sent);
    return deliverAnswer(answer, fault, sent.clock, sent.signal);
  }
}

function upgradeOver(transport: Transport): InProcessServer {
  return async (request, signal) => {
    const answer = await transport.upgrade(request, signal);
    if ('stream' in answer) return answer;
    return { status: answer.status, headers: answer.headers, body: answer.chunks() };
  };
}
