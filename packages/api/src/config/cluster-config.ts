import type { ObjectOf } from '@liqo/kube';
import { longestValiditySeconds, mostConfigured, nameLength, offerBounds } from '../bounds.ts';
import { clusterID } from '../core/cluster-id.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import {
  boolean,
  describe,
  integer,
  list,
  object,
  type Schema,
  string,
  stringEnum,
  withDefault,
  withFieldDefaults,
} from '../schema.ts';

function count(
  value: number,
  { minimum = 0, maximum = 2147483647, description }: CountOptions = {},
): Schema<number> {
  const schema = integer({ format: 'int32', minimum, maximum });
  return withDefault(describe(schema, description), value);
}

interface CountOptions {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

const labelPolicy = object({
  required: {
    key: string({ minLength: 1, maxLength: nameLength + 64 }),
    policy: withDefault(
      stringEnum(
        'LabelPolicyAnyTrue',
        'LabelPolicyAllTrue',
        'LabelPolicyAnyTrueNoLabelIfFalse',
        'LabelPolicyAllTrueNoLabelIfFalse',
      ),
      'LabelPolicyAnyTrue',
    ),
  },
});

const outgoingConfig = object({
  required: {
    enableBroadcaster: withDefault(boolean('False withdraws every offer.'), true),
    resourceSharingPercentage: count(30, {
      maximum: 100,
      description: 'The share of what is free that each consumer is offered.',
    }),
    updateThresholdPercentage: count(5, {
      maximum: 100,
      description: 'Smaller changes wait for the next refresh; 0 sends every change.',
    }),
    refreshPeriodSeconds: count(600, { minimum: 1, maximum: longestValiditySeconds }),
    validitySeconds: count(1800, {
      minimum: 2,
      maximum: longestValiditySeconds,
      description: 'How long an offer holds without a refresh.',
    }),
  },
  optional: {
    labelPolicies: describe(
      list(labelPolicy, { maxItems: offerBounds.labels }),
      'Labels of the nodes that become labels of the offer.',
    ),
  },
  rules: [
    {
      rule: 'self.validitySeconds >= 2 * self.refreshPeriodSeconds',
      message: 'validitySeconds must be at least twice refreshPeriodSeconds',
      fieldPath: '.validitySeconds',
    },
  ],
});

const ingoingConfig = object({
  required: {
    acceptPolicy: withDefault(
      describe(
        stringEnum('AutoAcceptMax', 'ManualAccept', 'Manual'),
        'Manual is the old name of ManualAccept.',
      ),
      'AutoAcceptMax',
    ),
    maxAcceptableAdvertisements: count(1_000_000, {
      maximum: 1_000_000,
      description: 'How many offers may be accepted at a time; 0 refuses all.',
    }),
  },
  optional: {
    allowedClusterIDs: describe(
      list(clusterID, { maxItems: mostConfigured }),
      'If not empty, the only providers accepted.',
    ),
    deniedClusterIDs: describe(
      list(clusterID, { maxItems: mostConfigured }),
      'Providers never accepted.',
    ),
  },
});

const advertisementConfig = object({
  required: {
    outgoingConfig: withFieldDefaults(outgoingConfig),
    ingoingConfig: withFieldDefaults(ingoingConfig),
    keepaliveThreshold: count(3, {
      description: 'Failed probes in a row after which a provider is given up; 0 never.',
    }),
    keepaliveRetryTime: count(20, { minimum: 1, description: 'Seconds between two probes.' }),
  },
});

export const ClusterConfig = defineResource({
  apiVersion: 'config.liqo.io/v1beta1',
  kind: 'ClusterConfig',
  plural: 'clusterconfigs',
  scope: 'Cluster',
  description: 'How this cluster makes and judges offers. Only the object "configuration" counts.',
  columns: [
    column('Policy', '.spec.advertisementConfig.ingoingConfig.acceptPolicy'),
    column('Maximum', '.spec.advertisementConfig.ingoingConfig.maxAcceptableAdvertisements', {
      type: 'integer',
    }),
    column('Sharing', '.spec.advertisementConfig.outgoingConfig.resourceSharingPercentage', {
      type: 'integer',
    }),
    ageColumn,
  ],
  spec: object({ required: { advertisementConfig: withFieldDefaults(advertisementConfig) } }),
});

export type ClusterConfig = ObjectOf<typeof ClusterConfig>;
