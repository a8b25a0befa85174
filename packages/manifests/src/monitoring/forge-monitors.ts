import { fixedNames, labels, labelValues } from '@liqo/api';
import type { ConfigMap, KubeObject, Service } from '@liqo/kube';
import { when } from '../chart/when.ts';
import { componentSelector, releaseLabels } from '../component-labels.ts';
import type { Values } from '../values.ts';
import { dashboard } from './dashboard.ts';

const { controllerManager } = fixedNames;
const operator = 'monitoring.coreos.com/v1';

/** What the Prometheus operator and Grafana find: only where they are wanted, for a cluster may not have these kinds. */
export function forgeMonitoring(values: Values): readonly KubeObject[] {
  const { monitoring } = values;
  return [
    ...when(monitoring.enabled, [
      { apiVersion: 'v1', kind: 'Service', ...forgeMetricsService(values) },
      { apiVersion: operator, kind: 'ServiceMonitor', ...forgeServiceMonitor(values) },
      { apiVersion: operator, kind: 'PodMonitor', ...forgePodMonitor(values) },
    ]),
    ...when(monitoring.dashboard.enabled, [
      { apiVersion: 'v1', kind: 'ConfigMap', ...forgeDashboard(values) },
    ]),
  ];
}

const metricsLabels = { 'app.kubernetes.io/name': 'controller-manager-metrics' };

function forgeMetricsService(values: Values): Service {
  return {
    metadata: {
      name: `${controllerManager}-metrics`,
      namespace: values.namespace,
      labels: { ...metricsLabels, ...releaseLabels },
    },
    spec: {
      selector: componentSelector(values, 'controller-manager'),
      ports: [
        {
          name: 'metrics',
          port: values.controllerManager.metrics.port,
          targetPort: 'metrics',
          protocol: 'TCP',
        },
      ],
    },
  };
}

function forgeServiceMonitor({ namespace, monitoring }: Values) {
  return {
    metadata: { name: controllerManager, namespace, labels: monitoring.labels },
    spec: {
      selector: { matchLabels: metricsLabels },
      endpoints: [{ port: 'metrics', interval: monitoring.interval }],
    },
  };
}

/** Virtual kubelets are in the tenant namespaces. */
function forgePodMonitor({ namespace, monitoring }: Values) {
  return {
    metadata: {
      name: 'liqo-virtual-kubelet',
      namespace,
      labels: monitoring.labels,
    },
    spec: {
      namespaceSelector: { any: true },
      selector: { matchLabels: { [labels.component]: labelValues.virtualKubelet } },
      podMetricsEndpoints: [{ port: 'metrics', interval: monitoring.interval }],
    },
  };
}

function forgeDashboard({ namespace, monitoring }: Values): ConfigMap {
  return {
    metadata: {
      name: 'liqo-dashboard',
      namespace,
      labels: monitoring.dashboard.labels,
    },
    data: { 'liqo.json': `${JSON.stringify(dashboard, null, 2)}\n` },
  };
}
