import type { ConfigMap, Deployment, KubeObject, Service } from '@liqo/kube';
import { Metrics } from '@liqo/runtime';
import { expect, test } from 'vitest';
import { forgeManifests } from '../forge-manifests.ts';
import { defaultValues, type Values } from '../values.ts';
import { dashboard } from './dashboard.ts';

function forge(monitoring: Partial<Values['monitoring']>): readonly KubeObject[] {
  const { monitoring: usual } = defaultValues;
  return forgeManifests({
    ...defaultValues,
    clusterID: 'rome',
    monitoring: { ...usual, ...monitoring },
  });
}

const find = (objects: readonly KubeObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata?.name === name);

test('the dashboard asks only for metrics that are served', async () => {
  const metrics = new Metrics({ process: true });
  const { queue, reconciled } = metrics.controller('peer');
  queue.taken(1);
  reconciled({ result: 'success', seconds: 1 });
  const served = await metrics.text();
  const asked = dashboard.panels
    .flatMap(({ targets }) => targets.map(({ expr }) => expr))
    .flatMap((expr) => expr.match(/\b[a-z]+_[a-z0-9_]+\b/g) ?? [])
    .filter((word) => word !== 'histogram_quantile');
  expect(asked.length).toBeGreaterThan(10);
  for (const name of asked) expect(served, name).toContain(name);
});

test('forgeManifests() monitors nothing unless it is told to', () => {
  const kinds = forge({}).map(({ kind }) => kind);
  expect(kinds).not.toContain('ServiceMonitor');
  expect(kinds).not.toContain('PodMonitor');
});

test('a ServiceMonitor finds the controllers through their Service', () => {
  const objects = forge({ enabled: true, labels: { release: 'prometheus' } });
  const service = find(objects, 'Service', 'liqo-controller-manager-metrics') as Service;
  const manager = find(objects, 'Deployment', 'liqo-controller-manager') as Deployment;
  expect(manager.spec?.selector.matchLabels).toEqual(service.spec?.selector);
  expect(find(objects, 'ServiceMonitor', 'liqo-controller-manager')).toMatchObject({
    metadata: { labels: { release: 'prometheus' } },
    spec: {
      selector: {
        matchLabels: {
          'app.kubernetes.io/name': service.metadata?.labels?.['app.kubernetes.io/name'],
        },
      },
      endpoints: [{ port: service.spec?.ports?.[0]?.name }],
    },
  });
  const [container] = manager.spec?.template.spec?.containers ?? [];
  expect(container?.args).toContain('--metrics-address=:8082');
});

test('the dashboard is a ConfigMap with the label of the sidecar of Grafana', () => {
  const labels = { grafana_dashboard: '1' };
  const objects = forge({ dashboard: { enabled: true, labels } });
  const { metadata, data } = find(objects, 'ConfigMap', 'liqo-dashboard') as ConfigMap;
  expect(metadata?.labels).toMatchObject(labels);
  expect(JSON.parse(data?.['liqo.json'] ?? '')).toEqual(JSON.parse(JSON.stringify(dashboard)));
});
