import { expect, test } from 'vitest';
import { parseConnections } from './connection.ts';

test('parseConnections() finds the open TCP connections, as their opener sees them', () => {
  const printed = `ipv4     2 tcp      6 1 CLOSE src=198.18.22.2 dst=198.18.6.150 sport=50492 dport=6443 src=198.18.6.150 dst=198.18.22.2 sport=6443 dport=50492 [ASSURED] mark=0 zone=0 use=2
ipv4     2 tcp      6 431999 ESTABLISHED src=10.150.0.2 dst=10.134.0.3 sport=60954 dport=8080 src=10.134.0.3 dst=10.150.0.2 sport=8080 dport=60954 [ASSURED] mark=0 zone=0 use=2
ipv4     2 udp      17 29 src=10.150.0.2 dst=10.134.0.3 sport=53 dport=53 [UNREPLIED] src=10.134.0.3 dst=10.150.0.2 sport=53 dport=53 mark=0 use=2
`;
  expect(parseConnections(printed)).toEqual([
    { source: '10.150.0.2', sourcePort: 60954, destination: '10.134.0.3', destinationPort: 8080 },
  ]);
  expect(parseConnections('')).toEqual([]);
});
