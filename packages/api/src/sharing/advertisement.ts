import type { ObjectOf } from '@liqo/kube';
import { forgeOfferedClasses } from '../authentication/offered-classes.ts';
import { nameLength, offerBounds } from '../bounds.ts';
import { clusterID } from '../core/cluster-id.ts';
import { condition } from '../embedded/condition.ts';
import { capacity } from '../embedded/resource-list.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import {
  dateTime,
  describe,
  integer,
  list,
  map,
  object,
  quantity,
  string,
  stringEnum,
  withDefault,
} from '../schema.ts';

export type AdvertisementConditionType =
  | 'Accepted'
  | 'NetworkReady'
  | 'CredentialsReady'
  | 'VirtualNodeReady'
  | 'Reachable'
  | 'SpecApplied';

export type AdvertisementDecisionReason =
  | 'AcceptedByPolicy'
  | 'AcceptedManually'
  | 'PolicyViolation'
  | 'WaitingManualDecision'
  | 'NoConfiguration'
  | 'MaxReached'
  | 'Withdrawn'
  | 'Ended'
  | 'InvalidResources'
  | 'InvalidTimeToLive'
  | 'IdentityMismatch'
  | 'DeniedCluster'
  | 'NotInAllowList'
  | 'RefusedManually';

const { images, imageNameLength, labels, namesOfImage, neighbors, prices } = offerBounds;
const { classes, properties, propertyLength } = offerBounds;

const image = object({
  optional: {
    names: list(string({ maxLength: imageNameLength }), {
      maxItems: namesOfImage,
      'x-kubernetes-list-type': 'atomic',
    }),
    sizeBytes: integer({ format: 'int64', minimum: 0 }),
  },
});

/** Of a virtual node of the provider: as many resources as a node may have. */
const amounts = map(quantity(), { maxProperties: 30 });

/** Fractions of seconds may have any number of digits. */
function moment(description: string) {
  return { ...dateTime(description), maxLength: 40 };
}

const phase = stringEnum('Pending', 'Accepted', 'Refused');

const decision = object({
  required: {
    value: phase,
    source: describe(
      stringEnum('Policy', 'Manual'),
      'A decision made by hand is never overruled by the policy.',
    ),
  },
  optional: { reason: string<AdvertisementDecisionReason>(), time: dateTime() },
});

export const Advertisement = defineResource({
  apiVersion: 'sharing.liqo.io/v1beta1',
  kind: 'Advertisement',
  plural: 'advertisements',
  scope: 'Namespaced',
  shortNames: ['adv'],
  description: 'Resources that a provider offers (spec) and that a consumer accepts (status).',
  columns: [
    column('Provider', '.spec.providerClusterID'),
    column('Status', '.status.phase'),
    column('Reason', '.status.decision.reason'),
    column('Expiration', '.status.expirationTime'),
    column('VirtualNode', '.status.virtualNodeRef.name'),
    ageColumn,
  ],
  spec: object({
    required: {
      providerClusterID: clusterID,
      consumerClusterID: clusterID,
      resourceQuota: object({
        required: { hard: { ...capacity, minProperties: 1 } },
      }),
      kubeConfigRef: describe(
        object({ required: { name: string({ minLength: 1, maxLength: nameLength }) } }),
        'The Secret of this namespace that holds the credentials for the offer.',
      ),
      timestamp: moment('When the offer was composed, by the clock of the provider.'),
      timeToLive: moment('Until when it holds, by the same clock.'),
    },
    optional: {
      labels: describe(
        map(string({ maxLength: 63 }), { maxProperties: labels }),
        'For the virtual node.',
      ),
      images: describe(list(image, { maxItems: images }), 'Images that the provider has already.'),
      ...forgeOfferedClasses({ maxItems: classes, maxLength: nameLength }),
      prices: describe(map(quantity(), { maxProperties: prices }), 'For information.'),
      neighbors: describe(
        map(amounts, { maxProperties: neighbors }),
        'Virtual nodes of the provider; for information.',
      ),
      properties: describe(
        map(string({ maxLength: propertyLength }), { maxProperties: properties }),
        'For information.',
      ),
      withdrawalTimestamp: moment('Since when the provider wants the offer to end.'),
    },
    immutable: ['providerClusterID', 'consumerClusterID'],
    rules: [
      {
        rule: 'self.timeToLive > self.timestamp',
        message: 'timeToLive must be later than timestamp',
        fieldPath: '.timeToLive',
      },
    ],
  }),
  status: object({
    required: { phase: withDefault(phase, 'Pending') },
    optional: {
      decision,
      conditions: list(condition<AdvertisementConditionType>(), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
      }),
      applied: describe(
        object({
          required: { resourceQuota: object({ required: { hard: capacity } }) },
          optional: {
            labels: map(string({ maxLength: 63 }), { maxProperties: labels }),
            ...forgeOfferedClasses({ maxItems: classes, maxLength: nameLength }),
          },
        }),
        'What the virtual node has: the latest offer that could be used.',
      ),
      virtualNodeRef: object({ required: { name: string() } }),
      lastRefreshTime: dateTime('When the consumer saw the latest refresh, by its own clock.'),
      expirationTime: dateTime('When the offer ends without another one, by the same clock.'),
      observedGeneration: integer({ format: 'int64', minimum: 0 }),
    },
  }),
});

export type Advertisement = ObjectOf<typeof Advertisement>;
