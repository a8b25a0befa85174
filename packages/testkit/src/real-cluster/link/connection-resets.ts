import { type Connection, turnAround } from './connection.ts';
import { forgeTcpPacket, type TcpPacket, tcpFlags } from './tcp-packet.ts';

/**
 * Resets connections from the middle of their way. A reset counts only with the right sequence number, which the two ends
 * alone know; so each end is sent a packet that makes no sense, to which it answers with the numbers it is at.
 */
export class ConnectionResets {
  readonly #all = new Set<string>();
  /** Ends that have not said anything yet. */
  readonly #silent = new Map<string, Connection>();

  constructor(connections: readonly Connection[]) {
    for (const connection of connections.flatMap((each) => [each, turnAround(each)])) {
      this.#all.add(nameOf(connection));
      this.#silent.set(nameOf(connection), connection);
    }
  }

  /** Whether every end has been reset. */
  get done(): boolean {
    return this.#silent.size === 0;
  }

  /** Packets that make the ends speak of which nothing has been heard. */
  questions(): readonly Buffer[] {
    return [...this.#silent.values()].map((from) =>
      forgeTcpPacket({
        ...turnAround(from),
        sequence: 0,
        acknowledgement: 0,
        flags: tcpFlags.ack,
      }),
    );
  }

  /** The packets to send in place of this one, when its connection is to be reset; otherwise nothing. */
  replace(packet: TcpPacket): readonly Buffer[] | undefined {
    if (!this.#all.has(nameOf(packet))) return undefined;
    this.#silent.delete(nameOf(packet));
    if (packet.flags & tcpFlags.rst) return undefined;
    const reset = { acknowledgement: 0, flags: tcpFlags.rst };
    return [
      forgeTcpPacket({ ...turnAround(packet), ...reset, sequence: packet.acknowledgement }),
      forgeTcpPacket({ ...packet, ...reset, sequence: packet.sequence }),
    ];
  }
}

function nameOf({ source, sourcePort, destination, destinationPort }: Connection): string {
  return `${source}:${sourcePort}>${destination}:${destinationPort}`;
}
