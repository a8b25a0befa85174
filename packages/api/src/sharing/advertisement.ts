import type { ObjectOf } from '@liqo/kube';
import { offeredClasses } from '../authentication/offered-classes.ts';
import { clusterID } from '../core/cluster-id.ts';
import { condition } from '../embedded/condition.ts';
import { containerImage } from '../embedded/container-image.ts';
import { capacity, resourceList } from '../embedded/resource-list.ts';
import { stringMap } from '../embedded/string-map.ts';
import { ageColumn, column, defineResource } from '../resource.ts';
import {
  dateTime,
  describe,
  integer,
  list,
  map,
  object,
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

type AdvertisementDecisionReason =
  | 'AcceptedByPolicy'
  | 'AcceptedManually'
  | 'PolicyViolation'
  | 'WaitingManualDecision'
  | 'NoConfiguration'
  | 'MaxReached'
  | 'InvalidResources'
  | 'InvalidTimeToLive'
  | 'IdentityMismatch'
  | 'DeniedCluster'
  | 'NotInAllowList'
  | 'RefusedManually';

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
        object({ required: { name: string({ minLength: 1 }) } }),
        'The Secret of this namespace that holds the credentials for the offer.',
      ),
      timestamp: dateTime('When the offer was composed, by the clock of the provider.'),
      timeToLive: dateTime('Until when it holds, by the same clock.'),
    },
    optional: {
      labels: describe(stringMap, 'For the virtual node.'),
      images: describe(list(containerImage), 'Images that the provider has already.'),
      ...offeredClasses,
      prices: describe(resourceList, 'For information.'),
      neighbors: describe(map(resourceList), 'Virtual nodes of the provider; for information.'),
      properties: describe(stringMap, 'For information.'),
      withdrawalTimestamp: dateTime('Since when the provider wants the offer to end.'),
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
      virtualNodeRef: object({ required: { name: string() } }),
      lastRefreshTime: dateTime('When the consumer saw the latest refresh, by its own clock.'),
      expirationTime: dateTime('When the offer ends without another one, by the same clock.'),
      observedGeneration: integer({ format: 'int64', minimum: 0 }),
    },
  }),
});

export type Advertisement = ObjectOf<typeof Advertisement>;
