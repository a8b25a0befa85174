import { type Client, type Clock, type Node, type Stored, sleep } from '@liqo/kube';
import { renewNodeLease } from './node-lease.ts';
import type { NodeFacts } from './node-object.ts';
import { reportNode } from './register-node.ts';

export interface HeartbeatParts {
  readonly client: Client;
  readonly clock: Clock;
  readonly facts: NodeFacts;
  /** Every ten seconds unless it says otherwise. */
  readonly beatEveryMs?: number | undefined;
}

const usualBeatEveryMs = 10_000;
const reportEveryMs = 300_000;

/** Renews the lease every ten seconds, or so, and the status every five minutes. A beat that fails is made up by the next. */
export async function keepBeating(
  { client, clock, facts, beatEveryMs = usualBeatEveryMs }: HeartbeatParts,
  node: Stored<Node>,
  signal: AbortSignal,
): Promise<void> {
  let known = node;
  const beatsPerReport = Math.ceil(reportEveryMs / beatEveryMs);
  for (let beat = 1; !signal.aborted; beat++) {
    try {
      await sleep(clock, beatEveryMs, signal);
      await renewNodeLease(client, clock, known, signal);
      if (beat % beatsPerReport === 0)
        known = await reportNode(client, clock, facts, known, signal);
    } catch {
      // The next one comes soon enough: as a rule, the lease runs out only after three more.
    }
  }
}
