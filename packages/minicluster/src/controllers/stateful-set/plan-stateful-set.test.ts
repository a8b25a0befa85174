import type { Pod, StatefulSet, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { stored } from '../testing/stored.ts';
import { planStatefulSet } from './plan-stateful-set.ts';

const nowMs = Date.UTC(2030, 0, 2);

function set(replicas: number, spec: object = {}): Stored<StatefulSet> {
  const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };
  return stored<StatefulSet>('StatefulSet', {
    metadata: { name: 'db' },
    spec: { replicas, selector: {}, serviceName: '', template: {}, updateStrategy, ...spec },
  });
}

/** `2 ready old`: number, state, revision. */
function pod(text: string): Stored<Pod> {
  const [ordinal, state, revision = 'new'] = text.split(' ');
  const phase = state === 'failed' ? 'Failed' : 'Running';
  const conditions = [{ type: 'Ready', status: state === 'ready' ? 'True' : 'False' }];
  const labels = { 'controller-revision-hash': revision };
  const metadata = { name: `db-${ordinal}`, labels };
  return stored<Pod>('Pod', { metadata, status: { phase, conditions } });
}

const parallel = { podManagementPolicy: 'Parallel' };

test.each<[string, Stored<StatefulSet>, string[], string]>([
  ['begins with the first', set(3), [], '+0'],
  ['waits for the one before', set(3), ['0 waiting'], ''],
  ['goes on when it is ready', set(3), ['0 ready'], '+1'],
  ['makes all at once in parallel', set(3, parallel), ['1 waiting'], '+0 +2'],
  ['replaces one that failed', set(2), ['0 failed', '1 ready'], '-0'],
  ['removes the highest number first', set(1), ['0 ready', '1 ready', '2 ready'], '-2'],
  ['updates from the highest down', set(2), ['0 ready old', '1 ready old'], '-1'],
  ['updates the next when the last is ready', set(2), ['0 ready old', '1 ready new'], '-0'],
  [
    'waits with the update for a pod that is not',
    set(2, parallel),
    ['0 ready old', '1 waiting'],
    '',
  ],
  [
    'updates nothing by itself if told so',
    set(1, { updateStrategy: { type: 'OnDelete' } }),
    ['0 ready old'],
    '',
  ],
])('planStatefulSet() %s', (_, wanted, pods, expected) => {
  const inputs = { set: wanted, pods: pods.map(pod), updateRevision: 'new' };
  const plan = planStatefulSet(inputs, nowMs);
  const steps = [
    ...plan.create.map(({ ordinal }) => `+${ordinal}`),
    ...plan.remove.map(({ metadata }) => `-${metadata.name.slice(3)}`),
  ];
  expect(steps.join(' ')).toBe(expected);
});
