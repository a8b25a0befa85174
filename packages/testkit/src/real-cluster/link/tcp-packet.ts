import type { Connection } from './connection.ts';

/** What has to be known of a packet to answer it in somebody's name. */
export interface TcpPacket extends Connection {
  readonly sequence: number;
  readonly acknowledgement: number;
  readonly flags: number;
}

export const tcpFlags = { rst: 0x04, ack: 0x10 } as const;

const tcpProtocol = 6;
const ipHeaderLength = 20;
const tcpHeaderLength = 20;

/** Nothing for a packet that is not TCP over IPv4, or only a later piece of one. */
export function parseTcpPacket(packet: Buffer): TcpPacket | undefined {
  const start = ((packet[0] ?? 0) & 0x0f) * 4;
  if (packet.length < start + tcpHeaderLength) return undefined;
  if ((packet[0] ?? 0) >> 4 !== 4 || packet[9] !== tcpProtocol) return undefined;
  if ((packet.readUInt16BE(6) & 0x1fff) !== 0) return undefined;
  return {
    source: printAddress(packet.subarray(12, 16)),
    destination: printAddress(packet.subarray(16, 20)),
    sourcePort: packet.readUInt16BE(start),
    destinationPort: packet.readUInt16BE(start + 2),
    sequence: packet.readUInt32BE(start + 4),
    acknowledgement: packet.readUInt32BE(start + 8),
    flags: packet[start + 13] ?? 0,
  };
}

/** A packet without data. */
export function forgeTcpPacket(wanted: TcpPacket): Buffer {
  const packet = Buffer.alloc(ipHeaderLength + tcpHeaderLength);
  const tcp = packet.subarray(ipHeaderLength);
  packet[0] = 0x45;
  packet.writeUInt16BE(packet.length, 2);
  packet[8] = 64;
  packet[9] = tcpProtocol;
  Buffer.from(wanted.source.split('.').map(Number)).copy(packet, 12);
  Buffer.from(wanted.destination.split('.').map(Number)).copy(packet, 16);
  packet.writeUInt16BE(checksum(packet.subarray(0, ipHeaderLength)), 10);
  tcp.writeUInt16BE(wanted.sourcePort, 0);
  tcp.writeUInt16BE(wanted.destinationPort, 2);
  tcp.writeUInt32BE(wanted.sequence, 4);
  tcp.writeUInt32BE(wanted.acknowledgement, 8);
  tcp[12] = (tcpHeaderLength / 4) << 4;
  tcp[13] = wanted.flags;
  tcp.writeUInt16BE(checksum(Buffer.concat([pseudoHeader(packet), tcp])), 16);
  return packet;
}

/** What the checksum of TCP covers besides TCP itself. */
function pseudoHeader(packet: Buffer): Buffer {
  const lengthAndProtocol = Buffer.from([0, tcpProtocol, 0, tcpHeaderLength]);
  return Buffer.concat([packet.subarray(12, 20), lengthAndProtocol]);
}

/** The one's complement of the one's complement sum of all 16-bit words; 0 for data that holds its own checksum. */
export function checksum(data: Buffer): number {
  let sum = 0;
  for (let at = 0; at < data.length; at += 2) sum += data.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}

function printAddress(bytes: Buffer): string {
  return [...bytes].join('.');
}
