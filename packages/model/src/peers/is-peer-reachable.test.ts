import type { ForeignCluster } from '@liqo/api';
import { expect, test } from 'vitest';
import { isPeerReachable } from './is-peer-reachable.ts';

type Status = NonNullable<ForeignCluster['status']>;
type ConditionStatus = NonNullable<Status['conditions']>[number]['status'];

function peer(options: {
  readonly networking?: boolean;
  readonly connection?: ConditionStatus;
  readonly apiServer?: ConditionStatus;
}): ForeignCluster {
  const { networking = false, connection, apiServer } = options;
  const none = { enabled: false };
  return {
    metadata: { name: 'rome' },
    spec: { clusterID: 'rome' },
    status: {
      role: 'Consumer',
      conditions: apiServer ? [{ type: 'APIServerStatus', status: apiServer }] : [],
      modules: {
        authentication: none,
        offloading: none,
        networking: {
          enabled: networking,
          conditions: connection ? [{ type: 'NetworkConnectionStatus', status: connection }] : [],
        },
      },
    },
  };
}

test.each<[string, ForeignCluster | undefined, boolean]>([
  ['is true of a peer that is not known', undefined, true],
  ['is true of a peer that is not observed', { spec: { clusterID: 'rome' } }, true],
  ['is true without network and probe', peer({}), true],
  ['is true of an API server that answers', peer({ apiServer: 'Established' }), true],
  ['is true of an API server that is not probed', peer({ apiServer: 'None' }), true],
  ['is false of an API server that does not answer', peer({ apiServer: 'Error' }), false],
  [
    'is true of a network that is established',
    peer({ networking: true, connection: 'Established' }),
    true,
  ],
  ['is false of a network with an error', peer({ networking: true, connection: 'Error' }), false],
  ['is false of a network without a connection', peer({ networking: true }), false],
  ['does not ask for a network that is not enabled', peer({ connection: 'Error' }), true],
])('isPeerReachable() %s', (_, foreignCluster, expected) => {
  expect(isPeerReachable(foreignCluster)).toBe(expected);
});
