/** What happens to packets that travel in one direction of a link. Without any of it they just arrive. */
export interface LinkFaults {
  /** Nothing arrives, and nobody is told. */
  readonly cut?: boolean;
  /** The share of packets that get lost, from 0 to 1. */
  readonly loss?: number;
  /** How much later packets arrive, in their order. */
  readonly delayMs?: number;
  /** How many arrive in a second; more than that waits, and what has waited for long gets lost. */
  readonly bitsPerSecond?: number;
}

/** The end of a link at which packets come in. */
export type LinkEnd = 'a' | 'b';

export type LinkState = Readonly<Record<LinkEnd, LinkFaults>>;

const lossSteps = 1_000_000;
const longestWaitMs = 400;

/** Rules for the firewall of the link: all it ever has, put in place of what it had. */
export function printFirewall(state: LinkState): string {
  const rules = (['a', 'b'] as const).flatMap((end) => dropRules(end, state[end]));
  // The last rule changes nothing: it makes the kernel keep track of connections, for whoever wants to reset them.
  return `table ip link
delete table ip link
table ip link {
  chain forward {
    type filter hook forward priority filter; policy accept;
    ${[...rules, 'ct state invalid counter'].join('\n    ')}
  }
}
`;
}

function dropRules(end: LinkEnd, { cut, loss = 0 }: LinkFaults): readonly string[] {
  if (cut) return [`iifname { "${port(end)}", "${detour(end)}" } drop`];
  const lost = Math.round(loss * lossSteps);
  if (lost === lossSteps) return [`iifname "${port(end)}" drop`];
  return lost > 0 ? [`iifname "${port(end)}" numgen random mod ${lossSteps} < ${lost} drop`] : [];
}

/** The queue at the far end of the direction, as `tc` wants it: `qdisc replace dev end-b root …`. */
export function printQueue(end: LinkEnd, { bitsPerSecond }: LinkFaults): string {
  const out = port(end === 'a' ? 'b' : 'a');
  if (bitsPerSecond === undefined) return `qdisc replace dev ${out} root pfifo limit 1000`;
  // Room for what may pass within a tick of the kernel, and for one large packet.
  const burst = Math.max(Math.ceil(bitsPerSecond / 8 / 100), 3_000);
  return `qdisc replace dev ${out} root tbf rate ${bitsPerSecond}bit burst ${burst} latency ${longestWaitMs}ms`;
}

/** The interface at an end of the link. */
export function port(end: LinkEnd): string {
  return `end-${end}`;
}

/** The interface through which packets of this direction go when they have to wait. */
export function detour(end: LinkEnd): string {
  return `wire-${end}`;
}

/** Throws for numbers that make no sense. */
export function checkFaults({ loss, delayMs, bitsPerSecond }: LinkFaults): void {
  if (loss !== undefined && !(loss >= 0 && loss <= 1))
    throw new Error(`Cannot lose ${loss} of the packets: a share is from 0 to 1`);
  if (delayMs !== undefined && !(delayMs >= 0 && delayMs < 60_000))
    throw new Error(`Cannot delay packets by ${delayMs} ms: it is from 0 to 60000`);
  if (bitsPerSecond !== undefined && !(bitsPerSecond >= 8_000))
    throw new Error(
      `Cannot narrow a link to ${bitsPerSecond} bits per second: it is at least 8000`,
    );
}
