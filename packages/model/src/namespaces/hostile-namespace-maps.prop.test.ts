import { annotations, labels } from '@liqo/api';
import type { Namespace, Stored } from '@liqo/kube';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hostileNamespaceMaps } from '../testing/hostile-namespace-maps.ts';
import { acceptedNamespaces } from './accepted-namespaces.ts';
import { desiredNames } from './desired-names.ts';
import { planRemoteNamespace } from './plan-remote-namespace.ts';

const numRuns = Number(process.env.HOSTILE_RUNS ?? 1_500);
const settings = { numRuns, seed: 21 };
/** Many of them take longer than other tests. */
const timeout = 120_000 + numRuns * 10;

const key = 'liqo-tenant-rome/milan';

/** Foreign, the consumer's own, and that of another consumer. */
const existing = new Map(
  [
    ['taken', undefined],
    ['shop-rome', key],
    ['argocd', 'liqo-tenant-oslo/milan'],
  ].map(([name = '', owner]) => {
    const annotated = owner && { annotations: { [annotations.managedByNamespaceMap]: owner } };
    const metadata = { name, uid: name, resourceVersion: '1', creationTimestamp: '', ...annotated };
    const namespace: Stored<Namespace> = { apiVersion: 'v1', kind: 'Namespace', metadata };
    return [name, namespace];
  }),
);

const isKept = (name: string) =>
  /^(kube-|liqo-tenant-)/.test(name) || name === 'default' || name === 'liqo';

test('planRemoteNamespace() touches no namespace but those of the consumer, of whatever NamespaceMap', {
  timeout,
}, () => {
  const steps = new Set<string>();
  fc.assert(
    fc.property(hostileNamespaceMaps, (map) => {
      const { distinct, shared } = desiredNames(map);
      expect(distinct.length + shared.length).toBe(
        Object.keys(map.spec?.desiredMapping ?? {}).length,
      );
      expect(new Set(distinct.map(({ remote }) => remote)).size).toBe(distinct.length);
      const reported = new Map(Object.entries(map.status?.currentMapping ?? {}));
      for (const { local, remote } of distinct) {
        const wanted = {
          local,
          remote,
          consumerClusterID: 'rome',
          namespaceMapKey: key,
          podSecurity: 'baseline',
          liqoNamespace: 'liqo',
        } as const;
        const step = planRemoteNamespace(wanted, existing.get(remote), reported.get(local));
        steps.add(step.type);
        if (isKept(remote) || remote === 'taken' || remote === 'argocd') {
          expect(step.type).toBe('refuse');
        }
        if (step.type !== 'create') continue;
        expect(remote).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
        expect(existing.has(remote)).toBe(false);
        expect(step.namespace.metadata).toMatchObject({
          name: remote,
          labels: {
            [labels.remoteClusterID]: 'rome',
            'pod-security.kubernetes.io/enforce': 'baseline',
          },
          annotations: { [annotations.managedByNamespaceMap]: key },
        });
      }
    }),
    settings,
  );
  expect(steps).toEqual(new Set(['create', 'label', 'refuse']));
});

test('acceptedNamespaces() gives a provider nothing that the consumer has not asked for, whatever it answers', {
  timeout,
}, () => {
  let accepted = 0;
  fc.assert(
    fc.property(hostileNamespaceMaps, hostileNamespaceMaps, ({ spec }, { status }) => {
      // A provider that confirms what it was asked for, among other answers.
      const confirmed = Object.entries(spec?.desiredMapping ?? {}).map(
        ([local, remoteNamespace]) => [local, { remoteNamespace, phase: 'Accepted' }],
      );
      const currentMapping = {
        ...status?.currentMapping,
        ...Object.fromEntries(confirmed.slice(0, 2)),
      };
      const wanted = new Map(Object.entries(spec?.desiredMapping ?? {}));
      const map = { spec, status: { currentMapping } } as Parameters<typeof acceptedNamespaces>[0];
      for (const [local, remote] of acceptedNamespaces(map, 'liqo')) {
        accepted += 1;
        expect(wanted.get(local)).toBe(remote);
        expect(local.startsWith('kube-') || local === 'liqo').toBe(false);
      }
    }),
    settings,
  );
  expect(accepted).toBeGreaterThan(numRuns / 10);
});
