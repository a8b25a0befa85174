import type { KubeObject } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { AdmissionRequest } from '../../review/admission-request.ts';
import { forgeRequest } from '../../testing/forge-request.ts';
import { say } from '../../testing/say.ts';
import { foreignClusterLabelRule } from './mutate-foreign-cluster.ts';
import { foreignClusterRule } from './validate-foreign-cluster.ts';

const { signal } = new AbortController();
const label = 'liqo.io/remote-cluster-id';

const peer = (clusterID: unknown, labels?: unknown, name = 'milan') =>
  ({
    metadata: { name, ...(labels !== undefined && { labels }) },
    spec: { clusterID },
  }) as unknown as KubeObject;

test.each<[string, KubeObject, unknown]>([
  ['adds a missing label', peer('milan'), { [label]: 'milan' }],
  ['keeps others', peer('milan', { app: 'x' }), { app: 'x', [label]: 'milan' }],
  ['replaces another ID', peer('milan', { [label]: 'turin' }), { [label]: 'milan' }],
  ['leaves the right one alone', peer('milan', { [label]: 'milan' }), { allowed: true }],
  ['leaves an object without an ID to the schema', peer(7), { allowed: true }],
  ['refuses labels that are no map', peer('milan', 'x'), 'metadata.labels is not a map'],
])('foreignClusterLabelRule %s', async (_, object, expected) => {
  const verdict = await foreignClusterLabelRule.review(forgeRequest(object), signal);
  const said = verdict.allowed ? (verdict.object?.metadata?.labels ?? verdict) : verdict.message;
  expect(said).toEqual(expected);
});

const update = (oldObject: KubeObject) => ({ operation: 'UPDATE', oldObject }) as const;

test.each<[string, KubeObject, Partial<AdmissionRequest>, string]>([
  ['of a peer', peer('milan', { [label]: 'milan' }), {}, 'allowed'],
  ['without an ID', peer(undefined), {}, 'spec.clusterID: it is missing'],
  ['of this cluster', peer('rome', {}, 'rome'), {}, 'spec.clusterID: "rome" is this cluster'],
  [
    'of another name',
    peer('milan', {}, 'other'),
    {},
    'metadata.name: the ForeignCluster of "milan" is called "milan"',
  ],
  [
    'with the label of another peer',
    peer('milan', { [label]: 'turin' }),
    {},
    'metadata.labels["liqo.io/remote-cluster-id"]: it is not spec.clusterID, "milan"',
  ],
  [
    'that had its problem before',
    peer('milan', { app: 'x' }, 'other'),
    update(peer('milan', {}, 'other')),
    'allowed',
  ],
])('foreignClusterRule judges one %s', async (_, object, more, expected) => {
  const rule = foreignClusterRule({ ownClusterID: 'rome' });
  expect(say(await rule.review(forgeRequest(object, more), signal))).toBe(expected);
});
