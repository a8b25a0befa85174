import { expect, test } from 'vitest';
import { ConnectionResets } from './connection-resets.ts';
import { parseTcpPacket, tcpFlags } from './tcp-packet.ts';

const connection = {
  source: '10.128.0.2',
  sourcePort: 40_000,
  destination: '10.129.0.3',
  destinationPort: 8080,
};

const back = {
  source: '10.129.0.3',
  sourcePort: 8080,
  destination: '10.128.0.2',
  destinationPort: 40_000,
};

const said = { sequence: 1000, acknowledgement: 2000, flags: tcpFlags.ack };

test('ConnectionResets asks both ends, each in the name of the other, until they speak', () => {
  const resets = new ConnectionResets([connection]);
  expect(resets.questions().map(parseTcpPacket)).toMatchObject([back, connection]);
  resets.replace({ ...connection, ...said });
  expect(resets.questions().map(parseTcpPacket)).toMatchObject([connection]);
  expect(resets.done).toBe(false);
  resets.replace({ ...back, ...said });
  expect(resets.done).toBe(true);
});

test('ConnectionResets answers with the numbers that each end waits for', () => {
  const instead = new ConnectionResets([connection]).replace({ ...connection, ...said });
  expect(instead?.map(parseTcpPacket)).toMatchObject([
    { ...back, sequence: 2000, flags: tcpFlags.rst },
    { ...connection, sequence: 1000, flags: tcpFlags.rst },
  ]);
});

test('ConnectionResets leaves other connections alone', () => {
  const resets = new ConnectionResets([connection]);
  expect(resets.replace({ ...connection, ...said, sourcePort: 40_001 })).toBeUndefined();
});

test('ConnectionResets lets an end pass that has hung up by itself', () => {
  const resets = new ConnectionResets([connection]);
  expect(resets.replace({ ...connection, ...said, flags: tcpFlags.rst })).toBeUndefined();
  expect(resets.questions()).toHaveLength(1);
});
