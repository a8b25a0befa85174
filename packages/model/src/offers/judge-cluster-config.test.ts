import { annotations, type ClusterConfig } from '@liqo/api';
import type { Stored } from '@liqo/kube';
import { describe, expect, test } from 'vitest';
import { judgeClusterConfig, keepValidConfig } from './judge-cluster-config.ts';

type Spec = ClusterConfig['spec'];

const valid: Spec['advertisementConfig'] = {
  outgoingConfig: {
    enableBroadcaster: true,
    resourceSharingPercentage: 30,
    updateThresholdPercentage: 5,
    refreshPeriodSeconds: 600,
    validitySeconds: 1_800,
  },
  ingoingConfig: { acceptPolicy: 'AutoAcceptMax', maxAcceptableAdvertisements: 5 },
  keepaliveThreshold: 3,
  keepaliveRetryTime: 20,
};

function stored(spec: unknown, marks: Record<string, string> = {}): Stored<ClusterConfig> {
  const metadata = { name: 'configuration', uid: 'one', resourceVersion: '1' };
  return { metadata: { ...metadata, annotations: marks }, spec } as Stored<ClusterConfig>;
}

const withIngoing = (change: object) => ({
  advertisementConfig: { ...valid, ingoingConfig: { ...valid.ingoingConfig, ...change } },
});
const withOutgoing = (change: object) => ({
  advertisementConfig: { ...valid, outgoingConfig: { ...valid.outgoingConfig, ...change } },
});

describe('judgeClusterConfig()', () => {
  test('puts a valid configuration in force', () => {
    const config = stored({ advertisementConfig: valid });
    expect(judgeClusterConfig(config)).toEqual({ inForce: valid, problem: undefined });
  });

  test('fills in what is missing, as the API server does', () => {
    const { keepaliveThreshold: _, ...others } = valid;
    const config = stored({ advertisementConfig: others });
    expect(judgeClusterConfig(config).inForce).toEqual(valid);
  });

  test('knows none where there is none', () => {
    expect(judgeClusterConfig(undefined)).toEqual({ inForce: undefined, problem: undefined });
  });

  test('ignores a field that it does not know', () => {
    const config = stored(withIngoing({ ofTomorrow: true }));
    expect(judgeClusterConfig(config).problem).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['a maximum that is a text', withIngoing({ maxAcceptableAdvertisements: '5' }), 'maxAcc'],
    ['a negative maximum', withIngoing({ maxAcceptableAdvertisements: -1 }), 'maxAcc'],
    ['an unknown policy', withIngoing({ acceptPolicy: 'Always' }), 'acceptPolicy'],
    ['a list that is a text', withIngoing({ deniedClusterIDs: 'p1' }), 'deniedClusterIDs'],
    ['no cluster ID', withIngoing({ deniedClusterIDs: ['P 1'] }), 'deniedClusterIDs[0]'],
    ['a share of 101 %', withOutgoing({ resourceSharingPercentage: 101 }), 'resourceSharing'],
    ['a fraction of a share', withOutgoing({ resourceSharingPercentage: 0.5 }), 'resourceSharing'],
    ['a short validity', withOutgoing({ validitySeconds: 1_000 }), 'validitySeconds'],
    ['a part of another type', { advertisementConfig: { outgoingConfig: 1 } }, 'outgoingConfig'],
    ['nothing', undefined, 'spec'],
    ['null', { advertisementConfig: null }, 'advertisementConfig'],
  ])('leaves the last valid one in force after one with %s, and says where', (_, spec, field) => {
    const before = keepValidConfig(stored({ advertisementConfig: valid })) ?? {};
    const { inForce, problem } = judgeClusterConfig(stored(spec, before));
    expect(inForce).toEqual(valid);
    expect(problem).toContain(field);
    expect(judgeClusterConfig(stored(spec)).inForce).toBeUndefined();
  });

  test.each(['', 'not JSON', '[]', '{"advertisementConfig":1}'])(
    'takes nothing from the note %j',
    (note) => {
      const config = stored({ advertisementConfig: 1 }, { [annotations.lastValidConfig]: note });
      expect(judgeClusterConfig(config).inForce).toBeUndefined();
    },
  );
});

describe('keepValidConfig()', () => {
  test('has nothing to do the second time', () => {
    const spec = { advertisementConfig: valid };
    expect(keepValidConfig(stored(spec, keepValidConfig(stored(spec))))).toBeUndefined();
  });

  test('does not keep what is too long for an annotation', () => {
    const deniedClusterIDs = Array.from({ length: 1_000 }, (_, n) => `p${n}`.padEnd(63, 'x'));
    const both = { deniedClusterIDs, allowedClusterIDs: deniedClusterIDs };
    expect(keepValidConfig(stored(withIngoing({ deniedClusterIDs })))).toBeDefined();
    expect(keepValidConfig(stored(withIngoing(both)))).toBeUndefined();
  });
});
