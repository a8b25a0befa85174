import type { Configuration, ForeignCluster } from '@liqo/api';
import { describe, expect, test } from 'vitest';
import { judgeNetwork, type NetworkFacts } from './network-readiness.ts';

const wanted = { remote: { cidr: { pod: ['10.200.0.0/16'] } } };
const configured = (...pod: string[]): Configuration => ({
  spec: wanted,
  ...(pod.length > 0 && { status: { remote: { cidr: { pod } } } }),
});
const peerWith = (enabled: boolean) =>
  ({ status: { modules: { networking: { enabled } } } }) as unknown as ForeignCluster;
const without: NetworkFacts = {
  configurations: [],
  foreignCluster: undefined,
  isCheckDisabled: false,
};

describe('judgeNetwork()', () => {
  test.each<[string, Partial<NetworkFacts>, boolean, string]>([
    ['does not wait without a network module', {}, true, 'NoNetworkModule'],
    [
      'does not wait for a peer that is used without a network',
      { foreignCluster: peerWith(false) },
      true,
      'NoNetworkModule',
    ],
    [
      'waits for a Configuration when gateways or connections exist already',
      { foreignCluster: peerWith(true) },
      false,
      'WaitingForNetwork',
    ],
    [
      'waits for a Configuration without a status',
      { configurations: [configured()] },
      false,
      'WaitingForNetwork',
    ],
    [
      'is ready with a remapped range',
      { configurations: [configured('10.80.0.0/16')] },
      true,
      'RemappingPublished',
    ],
    [
      'is ready with the range of the provider itself',
      { configurations: [configured('10.200.0.0/16')] },
      true,
      'RemappingPublished',
    ],
    [
      'does not wait when the check is disabled',
      { configurations: [configured()], isCheckDisabled: true },
      true,
      'CheckDisabled',
    ],
  ])('%s', (_, facts, isReady, reason) => {
    expect(judgeNetwork({ ...without, ...facts })).toMatchObject({ isReady, reason });
  });
});
