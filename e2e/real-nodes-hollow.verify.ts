import { existsSync, rmSync } from 'node:fs';
import { eventually } from '@liqo/testkit';
import { startRealCluster } from '@liqo/testkit/real-cluster';
import { expect, test } from 'vitest';
import { kubectl } from './real-nodes/kubectl.ts';
import { podOf } from './real-nodes/workloads.ts';

const patience = { timeoutMs: 60_000, intervalMs: 200 };

test('startRealCluster() with hollow nodes alone runs any number of pods in name', async () => {
  await using cluster = await startRealCluster({ name: 'hollow', hollowNodes: 40 });
  await kubectl(cluster, 'create deployment many --image=none --replicas=100');
  await kubectl(cluster, 'wait deployment/many --for=condition=Available --timeout=60s');
  const nodes = await kubectl(cluster, 'get pods -o jsonpath={.items[*].spec.nodeName}');
  expect(new Set(nodes.split(' ')).size).toBe(40);
}, 180_000);

test('startRealCluster() keeps pods off hollow nodes that are beside whole ones, unless they want to', async () => {
  await using cluster = await startRealCluster({ name: 'mixed', nodes: 1, hollowNodes: 3 });
  const toleration = { key: 'kwok.x-k8s.io/node', operator: 'Exists' };
  const selected = { nodeSelector: { 'kwok.x-k8s.io/node': 'fake' } };
  const willing = podOf('willing', 'true', { spec: { ...selected, tolerations: [toleration] } });
  const unwilling = podOf('unwilling', 'true', { spec: selected });
  for (const pod of [willing, unwilling]) {
    await kubectl(cluster, 'apply -f -', JSON.stringify(pod));
  }
  const phases = 'get pods -o jsonpath={.items[*].status.phase}';
  await eventually(async () => {
    expect(await kubectl(cluster, phases)).toBe('Pending Running');
  }, patience);
}, 180_000);

test('startRealCluster() refuses nodes without the controllers that they need', async () => {
  await expect(startRealCluster({ nodes: 1, components: 'api-only' })).rejects.toThrow(
    'Cannot start cluster "kubernetes": nodes need its controllers',
  );
});

test('startRealCluster() that fails with nodes names the program, and why', async () => {
  const kubeletConfig = { imageGCHighThresholdPercent: 101 };
  const start = startRealCluster({ name: 'worse', nodes: 1, kubeletConfig });
  const error = await start.then(undefined, (reason: Error) => reason);
  const message = error instanceof Error ? error.message : '';
  expect(message).toMatch(
    /^Cannot start kubelet: it ended with exit code 1\. The end of its log .*imageGCHighThresholdPercent/s,
  );
  const log = /its log "([^"]+-worse-node-1-kubelet\.log)"/.exec(message)?.[1] ?? '';
  expect(existsSync(log)).toBe(true);
  rmSync(log);
}, 180_000);
