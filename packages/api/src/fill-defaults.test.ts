import { expect, test } from 'vitest';
import { ClusterConfig } from './config/cluster-config.ts';
import { fillDefaults } from './fill-defaults.ts';

const { spec } = ClusterConfig.definition;

test('fillDefaults() fills what is missing, in lists too, and keeps the rest', () => {
  const outgoingConfig = { resourceSharingPercentage: 7, labelPolicies: [{ key: 'gpu' }] };
  expect(fillDefaults(spec, { advertisementConfig: { outgoingConfig, more: 1 } })).toEqual({
    advertisementConfig: {
      more: 1,
      keepaliveThreshold: 3,
      keepaliveRetryTime: 20,
      ingoingConfig: { acceptPolicy: 'AutoAcceptMax', maxAcceptableAdvertisements: 1_000_000 },
      outgoingConfig: {
        enableBroadcaster: true,
        resourceSharingPercentage: 7,
        updateThresholdPercentage: 5,
        refreshPeriodSeconds: 600,
        validitySeconds: 1_800,
        labelPolicies: [{ key: 'gpu', policy: 'LabelPolicyAnyTrue' }],
      },
    },
  });
});

test.each([undefined, null, 'text', 3])('fillDefaults() leaves %j as it is', (value) => {
  expect(fillDefaults(spec, value)).toBe(value);
});
