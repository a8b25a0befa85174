import { expect, test } from 'vitest';
import { Metrics } from './metrics.ts';

/** The samples of one metric, `name{labels} value` each. */
async function samples(metrics: Metrics, name: string): Promise<string[]> {
  const lines = (await metrics.text()).split('\n');
  return lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

test('Metrics counts reconciles under the names of controller-runtime', async () => {
  const metrics = new Metrics();
  const peer = metrics.controller('peer');
  peer.reconciled({ result: 'success', seconds: 0.2 });
  peer.reconciled({ result: 'error', seconds: 0.2, failure: 'ordinary' });
  peer.reconciled({ result: 'error', seconds: 0.2, failure: 'terminal' });
  peer.reconciled({ result: 'requeue_after', seconds: 0.2 });
  expect(await samples(metrics, 'controller_runtime_reconcile_total')).toEqual([
    'controller_runtime_reconcile_total{controller="peer",result="success"} 1',
    'controller_runtime_reconcile_total{controller="peer",result="error"} 2',
    'controller_runtime_reconcile_total{controller="peer",result="requeue"} 0',
    'controller_runtime_reconcile_total{controller="peer",result="requeue_after"} 1',
  ]);
  expect(await samples(metrics, 'controller_runtime_reconcile_errors_total')).toEqual([
    'controller_runtime_reconcile_errors_total{controller="peer"} 2',
  ]);
  expect(await samples(metrics, 'controller_runtime_terminal_reconcile_errors_total')).toEqual([
    'controller_runtime_terminal_reconcile_errors_total{controller="peer"} 1',
  ]);
});

test('Metrics has the buckets of controller-runtime for the time of reconciles', async () => {
  const metrics = new Metrics();
  metrics.controller('peer').reconciled({ result: 'success', seconds: 0.2 });
  const buckets = await samples(metrics, 'controller_runtime_reconcile_time_seconds_bucket');
  expect(buckets).toHaveLength(41);
  expect(buckets.slice(0, 2)).toEqual([
    'controller_runtime_reconcile_time_seconds_bucket{le="0.005",controller="peer"} 0',
    'controller_runtime_reconcile_time_seconds_bucket{le="0.01",controller="peer"} 0',
  ]);
  expect(buckets.at(-1)).toContain('le="+Inf"');
});

test('Metrics shows workers and their number', async () => {
  const metrics = new Metrics();
  const peer = metrics.controller('peer');
  peer.started(4, () => ({ totalSeconds: 0, longestSeconds: 0 }));
  peer.activeWorkersChanged(3);
  expect(await samples(metrics, 'controller_runtime_max_concurrent_reconciles')).toEqual([
    'controller_runtime_max_concurrent_reconciles{controller="peer"} 4',
  ]);
  expect(await samples(metrics, 'controller_runtime_active_workers')).toEqual([
    'controller_runtime_active_workers{controller="peer"} 3',
  ]);
});

test('Metrics measures queues under the names of client-go', async () => {
  const metrics = new Metrics();
  const { queue } = metrics.controller('peer');
  queue.added();
  queue.depthChanged(7);
  queue.retried();
  queue.taken(0.5);
  queue.finished(2);
  const labels = '{name="peer",controller="peer"}';
  for (const sample of [
    `workqueue_adds_total${labels} 1`,
    `workqueue_depth${labels} 7`,
    `workqueue_retries_total${labels} 1`,
    `workqueue_queue_duration_seconds_sum${labels} 0.5`,
    `workqueue_work_duration_seconds_sum${labels} 2`,
  ]) {
    expect(await metrics.text()).toContain(`\n${sample}\n`);
  }
});

test('Metrics asks what is in work when it is scraped', async () => {
  const metrics = new Metrics();
  let totalSeconds = 1;
  metrics.controller('peer').started(1, () => ({ totalSeconds, longestSeconds: 1 }));
  const unfinished = () => samples(metrics, 'workqueue_unfinished_work_seconds');
  expect(await unfinished()).toEqual([
    'workqueue_unfinished_work_seconds{name="peer",controller="peer"} 1',
  ]);
  totalSeconds = 12;
  expect(await unfinished()).toEqual([
    'workqueue_unfinished_work_seconds{name="peer",controller="peer"} 12',
  ]);
  expect(await samples(metrics, 'workqueue_longest_running_processor_seconds')).toHaveLength(1);
});

test('Metrics of two worlds in one process know nothing of each other', async () => {
  const [one, other] = [new Metrics(), new Metrics()];
  one.leading('manager', true);
  other.leading('manager', false);
  expect(await samples(one, 'leader_election_master_status')).toEqual([
    'leader_election_master_status{name="manager"} 1',
  ]);
  expect(await samples(other, 'leader_election_master_status')).toEqual([
    'leader_election_master_status{name="manager"} 0',
  ]);
});

test('Metrics has the process in it only when asked', async () => {
  expect(await new Metrics().text()).not.toContain('process_resident_memory_bytes');
  expect(await new Metrics({ process: true }).text()).toContain('process_resident_memory_bytes');
});

test('Metrics has gauges of components, whose series end when they are removed', async () => {
  const metrics = new Metrics();
  const options = { help: 'How long it takes', label: 'cluster_id' };
  metrics.gauge('latency_seconds', options).set('milan', 0.2);
  metrics.gauge('latency_seconds', options).set('turin', 0.3);
  expect(await samples(metrics, 'latency_seconds')).toEqual([
    'latency_seconds{cluster_id="milan"} 0.2',
    'latency_seconds{cluster_id="turin"} 0.3',
  ]);
  metrics.gauge('latency_seconds', options).remove('milan');
  expect(await samples(metrics, 'latency_seconds')).toEqual([
    'latency_seconds{cluster_id="turin"} 0.3',
  ]);
});
