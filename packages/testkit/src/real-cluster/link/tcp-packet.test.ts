import { expect, test } from 'vitest';
import { checksum, forgeTcpPacket, parseTcpPacket, tcpFlags } from './tcp-packet.ts';

const packet = {
  source: '10.128.0.2',
  sourcePort: 40_000,
  destination: '10.129.0.3',
  destinationPort: 8080,
  sequence: 0xfffffffe,
  acknowledgement: 7,
  flags: tcpFlags.ack,
};

test('parseTcpPacket() reads what forgeTcpPacket() wrote', () => {
  expect(parseTcpPacket(forgeTcpPacket(packet))).toEqual(packet);
});

test('forgeTcpPacket() writes checksums that hold', () => {
  const bytes = forgeTcpPacket(packet);
  expect(checksum(bytes.subarray(0, 20))).toBe(0);
  const pseudoHeader = Buffer.concat([bytes.subarray(12, 20), Buffer.from([0, 6, 0, 20])]);
  expect(checksum(Buffer.concat([pseudoHeader, bytes.subarray(20)]))).toBe(0);
});

test.each([
  ['of another protocol', (bytes: Buffer) => bytes.fill(17, 9, 10)],
  ['of IPv6', (bytes: Buffer) => bytes.fill(0x60, 0, 1)],
  ['that is a later piece', (bytes: Buffer) => bytes.fill(1, 7, 8)],
  ['that is too short', (bytes: Buffer) => bytes.subarray(0, 30)],
  ['without anything in it', () => Buffer.alloc(0)],
])('parseTcpPacket() takes no packet %s', (_, spoil) => {
  expect(parseTcpPacket(spoil(forgeTcpPacket(packet)))).toBeUndefined();
});
