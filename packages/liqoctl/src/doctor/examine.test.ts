import { VirtualNode } from '@liqo/api';
import { apiVersionOf, type Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import type { FoundCluster } from '../install/read-cluster.ts';
import { type Examined, examineCluster, examineInstallation } from './examine.ts';

const found: FoundCluster = {
  gitVersion: 'v1.35.0',
  nodes: [],
  clusterID: 'rome',
  isOfHelm: true,
  record: { values: {}, provider: undefined },
  missingRights: [],
  provider: 'kind',
};

test('examineCluster() is content with a cluster that has Liqo, also of Helm', () => {
  expect(examineCluster(found)).toEqual([
    { what: 'Kubernetes v1.35.0, kind' },
    { what: '0 of 0 nodes of its own are Ready' },
    { what: 'Liqo, as the cluster "rome"' },
  ]);
});

test('examineCluster() says what keeps Liqo from being installed', () => {
  const problems = examineCluster({ ...found, gitVersion: 'v1.28.0', clusterID: undefined });
  expect(problems.map(({ problem }) => problem?.reason)).toEqual(['NotUsable', undefined]);
});

test('examineCluster() is content with a cluster that is ready for Liqo, and says how to go on', () => {
  const findings = examineCluster({ ...found, clusterID: undefined });
  expect(findings.filter(({ problem }) => problem)).toEqual([]);
  expect(findings.at(-1)?.next).toBe('liqoctl install');
});

test('examineCluster() names missing rights only while Liqo is not installed', () => {
  const missingRights = ['create clusterroles'];
  expect(examineCluster({ ...found, missingRights })[0]?.problem).toBeUndefined();
  const [cluster] = examineCluster({ ...found, clusterID: undefined, missingRights });
  expect(cluster?.problem?.evidence).toBe('you may not create clusterroles');
});

const virtualNode = (name: string): Stored<VirtualNode> => ({
  apiVersion: apiVersionOf(VirtualNode),
  kind: VirtualNode.kind,
  metadata: {
    name,
    namespace: 'liqo-tenant-milan',
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { clusterID: 'milan', createNode: false },
  status: {
    conditions: [
      { type: 'VirtualKubelet', status: 'Running', lastTransitionTime: '2026-01-01T00:00:00Z' },
      {
        type: 'Provider',
        status: 'Unreachable',
        reason: 'ProviderUnreachable',
        message: 'no answer',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
  },
});

function examined(name: string): Examined {
  const route = {
    virtualNode: virtualNode(name),
    node: undefined,
    slice: undefined,
    identity: undefined,
    hasKubeconfig: true,
    foreignCluster: undefined,
  };
  return { subject: { kind: 'virtualnode', name }, facts: { routes: [route] } };
}

test('examineInstallation() tells a cause once, and which objects share it', () => {
  const findings = examineInstallation({}, [examined('one'), examined('two')]);
  expect(findings.map(({ what, problem }) => [what, problem?.evidence])).toEqual([
    ['Controllers', undefined],
    ['Webhooks', undefined],
    ['virtualnode/one', 'the API server of "milan": no answer'],
    ['virtualnode/two', 'for the same reason: the API server of "milan"'],
  ]);
});

test('examineInstallation() names controllers that do not run', () => {
  const unattended = { isInstalled: true, why: 'no pod is ready', hint: '', command: 'kubectl x' };
  const [controllers] = examineInstallation({ unattended }, []);
  expect(controllers?.problem?.reason).toBe('ControllersNotRunning');
});

test('examineInstallation() names webhooks that do not answer', () => {
  const webhookFault = {
    reason: 'WebhookNotRunning',
    why: 'no pod is ready',
    command: 'x',
  } as const;
  const [, webhooks] = examineInstallation({ webhookFault }, []);
  expect(webhooks).toMatchObject({ what: 'Webhooks', problem: { reason: 'WebhookNotRunning' } });
});
