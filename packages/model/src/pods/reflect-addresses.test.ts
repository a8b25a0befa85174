import { describe, expect, test } from 'vitest';
import { rangeSet } from '../testing/range-set.ts';
import type { PodStatus } from './pod-status.ts';
import { type AddressContext, mayHaveOtherAddresses, withAddresses } from './reflect-addresses.ts';

const context: AddressContext = {
  nodeAddress: '192.168.0.7',
  addressPolicy: { isReflected: true, own: rangeSet('10.244.0.0/16'), exempt: rangeSet() },
  now: '2026-01-01T00:10:00Z',
};
const host = { hostIP: '192.168.0.7', hostIPs: [{ ip: '192.168.0.7' }] };

function reflected(remote: PodStatus, change: Partial<AddressContext> = {}, before = {}) {
  return withAddresses(before, remote, { ...context, ...change });
}

describe('withAddresses()', () => {
  test('takes over the addresses of the provider’s pod, and names the virtual node as its host', () => {
    const podIPs = [{ ip: '10.80.0.9' }, { ip: 'fd00::9' }];
    const remote = {
      podIP: '10.80.0.9',
      podIPs,
      hostIP: '10.1.0.1',
      hostIPs: [{ ip: '10.1.0.1' }],
    };
    expect(reflected(remote)).toEqual({ ...host, podIP: '10.80.0.9', podIPs });
  });

  test('says nothing about a pod without an address', () => {
    expect(reflected({})).toEqual(host);
  });

  test.each(['127.0.0.1', '169.254.169.254', '10.244.1.7', 'localhost'])(
    'leaves out %s, and says so in a condition',
    (podIP) => {
      const status = reflected({ podIP, podIPs: [{ ip: podIP }] });
      expect(status).toEqual({
        ...host,
        conditions: [
          {
            type: 'offloading.liqo.io/AddressesAccepted',
            status: 'False',
            reason: 'AddressRefused',
            message: expect.stringContaining(`reports the address "${podIP}"`),
            lastTransitionTime: context.now,
          },
        ],
      });
    },
  );

  test('keeps the address of one family when that of the other is refused', () => {
    const status = reflected({
      podIP: '127.0.0.1',
      podIPs: [{ ip: '127.0.0.1' }, { ip: 'fd00::9' }],
    });
    expect(status).toMatchObject({ podIP: 'fd00::9', podIPs: [{ ip: 'fd00::9' }] });
    expect(status.conditions).toMatchObject([{ status: 'False', reason: 'AddressRefused' }]);
  });

  test('keeps one address of each family, in canonical form: a status with others is denied', () => {
    const podIPs = ['::FFFF:10.80.0.9', '10.80.0.10', 'FD00:0:0::9', 'fd00::a'].map((ip) => ({
      ip,
    }));
    expect(reflected({ podIPs })).toEqual({
      ...host,
      podIP: '10.80.0.9',
      podIPs: [{ ip: '10.80.0.9' }, { ip: 'fd00::9' }],
    });
  });

  test('removes the condition when the address is accepted', () => {
    const before = reflected({ podIP: '10.244.1.7' });
    expect(reflected({ podIP: '10.80.0.9' }, {}, before).conditions).toEqual([]);
  });

  test('takes over no address at all where the installation reflects none', () => {
    const addressPolicy = { ...context.addressPolicy, isReflected: false };
    expect(reflected({ podIP: '10.80.0.9' }, { addressPolicy })).toEqual(host);
    expect(reflected({ podIP: '127.0.0.1' }, { addressPolicy })).toEqual(host);
  });

  test('judges what an address is translated to', () => {
    const to = (address: string) => ({ translateAddress: () => address });
    expect(reflected({ podIP: '10.244.1.7' }, to('10.90.1.7')).podIP).toBe('10.90.1.7');
    expect(reflected({ podIP: '10.80.0.9' }, to('127.0.0.1')).podIP).toBeUndefined();
  });
});

test.each([
  ['with an address that is refused now', { podIPs: [{ ip: '10.244.1.7' }] }, true],
  ['with an address that is accepted', { podIPs: [{ ip: '10.80.0.9' }] }, false],
  ['without an address that was refused', reflected({ podIP: '10.244.1.7' }), true],
  ['without any', {}, false],
])('mayHaveOtherAddresses() for a pod %s is %s', (_, status, expected) => {
  expect(mayHaveOtherAddresses(status, context.addressPolicy)).toBe(expected);
});
