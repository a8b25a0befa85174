import { IpRangeSet, parseIpAddress } from '@liqo/kube';
import { expect, test } from 'vitest';
import { rangesOfNode } from './own-ranges.ts';

function has(ranges: ReturnType<typeof rangesOfNode>, text: string): boolean {
  const address = parseIpAddress(text);
  return address !== undefined && new IpRangeSet(ranges).has(address);
}

test('rangesOfNode() are the ranges of its pods and its own addresses, of both families', () => {
  const addresses = [
    { type: 'InternalIP', address: '192.168.7.4' },
    { type: 'ExternalIP', address: '2001:db8::4' },
    { type: 'Hostname', address: 'worker' },
  ];
  const podCIDRs = ['10.244.3.0/24', 'fd00:10:3::/64', 'nonsense'];
  const ranges = rangesOfNode({
    spec: { podCIDR: '10.244.3.0/24', podCIDRs },
    status: { addresses },
  });
  for (const own of ['10.244.3.9', 'fd00:10:3::9', '192.168.7.4', '2001:db8::4']) {
    expect(has(ranges, own)).toBe(true);
  }
  for (const other of ['10.244.4.9', '192.168.7.5', '2001:db8::5']) {
    expect(has(ranges, other)).toBe(false);
  }
});

test('rangesOfNode() takes the older field alone, and nothing from a Node that says nothing', () => {
  expect(has(rangesOfNode({ spec: { podCIDR: '10.244.3.0/24' } }), '10.244.3.1')).toBe(true);
  expect(rangesOfNode({})).toEqual([]);
});
