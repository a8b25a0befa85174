/** The dashboard for Grafana: whether the controllers and the virtual kubelets keep up, and what stops them. */
export const dashboard = {
  uid: 'liqo',
  title: 'Liqo',
  tags: ['liqo', 'kubernetes'],
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-1h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
  },
  panels: placed([
    panel('Reconciles per second, by controller', 'ops', [
      [
        'sum by (controller, result) (rate(controller_runtime_reconcile_total[5m]))',
        '{{controller}} {{result}}',
      ],
    ]),
    panel('Failed reconciles per second', 'ops', [
      [
        'sum by (controller) (rate(controller_runtime_reconcile_errors_total[5m]))',
        '{{controller}}',
      ],
      [
        'sum by (controller) (rate(controller_runtime_terminal_reconcile_errors_total[5m]))',
        '{{controller}} terminal',
      ],
    ]),
    panel('Duration of a reconcile, 99th percentile', 's', [
      [
        'histogram_quantile(0.99, sum by (controller, le) (rate(controller_runtime_reconcile_time_seconds_bucket[5m])))',
        '{{controller}}',
      ],
    ]),
    panel('Objects that wait', 'short', [
      ['sum by (controller) (workqueue_depth)', '{{controller}}'],
    ]),
    panel('Time in the queue, 99th percentile', 's', [
      [
        'histogram_quantile(0.99, sum by (controller, le) (rate(workqueue_queue_duration_seconds_bucket[5m])))',
        '{{controller}}',
      ],
    ]),
    panel('Work that does not end', 's', [
      ['max by (controller) (workqueue_longest_running_processor_seconds)', '{{controller}}'],
    ]),
    panel('Requests to API servers per second', 'reqps', [
      ['sum by (host, code) (rate(rest_client_requests_total[5m]))', '{{host}} {{code}}'],
    ]),
    panel('Failed requests to API servers per second', 'reqps', [
      [
        'sum by (host, code) (rate(rest_client_requests_total{code!~"2.."}[5m]))',
        '{{host}} {{code}}',
      ],
    ]),
    panel('Leaders', 'short', [['sum by (name) (leader_election_master_status)', '{{name}}']]),
    panel('Memory', 'bytes', [['process_resident_memory_bytes', '{{namespace}}/{{pod}}']]),
    panel('Processor', 'short', [['rate(process_cpu_seconds_total[5m])', '{{namespace}}/{{pod}}']]),
    panel('Delay of the event loop, 99th percentile', 's', [
      ['nodejs_eventloop_lag_p99_seconds', '{{namespace}}/{{pod}}'],
    ]),
  ]),
} as const;

type Query = readonly [expression: string, legend: string];

function panel(title: string, unit: string, queries: readonly Query[]) {
  const datasource = { type: 'prometheus', uid: '$datasource' };
  return {
    title,
    type: 'timeseries',
    datasource,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: queries.map(([expr, legendFormat], at) => ({
      refId: 'ABCDEF'[at],
      datasource,
      expr,
      legendFormat,
    })),
  };
}

/** Two in each row. */
function placed(panels: readonly ReturnType<typeof panel>[]) {
  return panels.map((one, at) => ({
    id: at + 1,
    ...one,
    gridPos: { x: (at % 2) * 12, y: Math.floor(at / 2) * 8, w: 12, h: 8 },
  }));
}
