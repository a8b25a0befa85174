import { type Client, type Clock, type Node, type Stored, sleep } from '@liqo/kube';
import { renewNodeLease } from './node-lease.ts';
import type { NodeFacts } from './node-object.ts';
import { reportNode } from './register-node.ts';

export interface HeartbeatParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly facts: NodeFacts;
}

const leaseMs = 10_000;
const beatsPerReport = 30;

/** Renews the lease every ten seconds and the status every five minutes. A beat that fails is made up by the next. */
export async function keepBeating(
  { client, clock, facts }: HeartbeatParts,
  node: Stored<Node>,
  signal: AbortSignal,
): Promise<void> {
  let known = node;
  for (let beat = 1; !signal.aborted; beat++) {
    try {
      await sleep(clock, leaseMs, signal);
      await renewNodeLease(client, clock, known, signal);
      if (beat % beatsPerReport === 0)
        known = await reportNode(client, clock, facts, known, signal);
    } catch {
      // The next one comes in ten seconds; until the lease runs out there are three more.
    }
  }
}
