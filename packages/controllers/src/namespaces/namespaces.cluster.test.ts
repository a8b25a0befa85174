import {
  annotations,
  ForeignCluster,
  labels,
  NamespaceMap,
  NamespaceOffloading,
  VirtualNode,
} from '@liqo/api';
import { ConfigMap, mergePatch, Namespace, RoleBinding } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { faultOn, isWatch, isWrite, lostRequest, noFaults, ofCaller } from '@liqo/testkit/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startReplicationController } from '../replication/replication-controller.ts';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { introduce } from '../testing/tenancy.ts';
import { startNamespaceMapController } from './namespace-map-controller.ts';
import { startNamespaceOffloadingController } from './namespace-offloading-controller.ts';

const patient = { timeoutMs: 30_000 };

describe('an offloaded namespace', () => {
  let rome: TestCluster;
  let milan: TestCluster;
  let running: Stoppable[];

  beforeAll(async () => {
    [rome, milan] = await Promise.all([startCluster('rome'), startCluster('milan')]);
    await introduce(rome, milan);
    running = start();
    await createVirtualNode();
  });

  afterAll(async () => {
    for (const part of running) await part[Symbol.asyncDispose]();
    await rome[Symbol.asyncDispose]();
    await milan[Symbol.asyncDispose]();
  });

  function start(): Stoppable[] {
    return [
      startReplicationController(rome.context),
      startNamespaceOffloadingController(rome.context),
      startNamespaceMapController(milan.context, { podSecurity: 'baseline' }),
    ];
  }

  /** As the controller of virtual nodes leaves it: a map for each provider. */
  async function createVirtualNode(): Promise<void> {
    const namespace = 'liqo-tenant-milan';
    await rome.client.create(VirtualNode, {
      metadata: { name: 'mynode', namespace },
      spec: { clusterID: 'milan', labels: { zone: 'north' } },
    });
    await rome.client.create(NamespaceMap, {
      metadata: {
        name: 'milan',
        namespace,
        labels: {
          [labels.replication]: 'true',
          [labels.replicationDestination]: 'milan',
          [labels.remoteClusterID]: 'milan',
        },
      },
      spec: {},
    });
  }

  async function offload(namespace: string, spec: Record<string, unknown>): Promise<void> {
    await rome.client.create(Namespace, { metadata: { name: namespace } });
    await createOffloading(namespace, spec);
  }

  async function createOffloading(namespace: string, spec: object): Promise<void> {
    await rome.client.create(NamespaceOffloading, {
      metadata: { name: 'offloading', namespace },
      spec: {
        namespaceMappingStrategy: 'DefaultName',
        podOffloadingStrategy: 'LocalAndRemote',
        ...spec,
      },
    });
  }

  function phaseOf(namespace: string, wanted: string) {
    return eventually(async () => {
      const key = { namespace, name: 'offloading' };
      const offloading = await rome.client.get(NamespaceOffloading, key);
      expect(offloading?.status?.offloadingPhase).toBe(wanted);
      return offloading;
    }, patient);
  }

  test('appears at the provider, labelled and with a role for its virtual kubelets', async () => {
    await offload('shop', {});
    const offloading = await phaseOf('shop', 'Ready');
    expect(offloading?.status?.remoteNamespaceName).toBe('shop-rome');
    const remote = await milan.client.get(Namespace, { name: 'shop-rome' });
    expect(remote?.metadata).toMatchObject({
      labels: {
        'liqo.io/remote-cluster-id': 'rome',
        'pod-security.kubernetes.io/enforce': 'baseline',
      },
      annotations: {
        'liqo.io/managed-by-namespace-map': 'liqo-tenant-rome/milan',
        'liqo.io/original-name': 'shop',
      },
    });
    const binding = { namespace: 'shop-rome', name: 'liqo-tenant-rome' };
    expect(await milan.client.get(RoleBinding, binding)).toMatchObject({
      roleRef: { name: 'liqo-virtual-kubelet-remote' },
      subjects: [{ kind: 'Group', name: 'rome' }],
    });
    const home = await rome.client.get(Namespace, { name: 'shop' });
    expect(home?.metadata.labels).toMatchObject({ 'liqo.io/scheduling-enabled': 'true' });
  });

  test('is withdrawn also by a controller whose view of the maps is old', async () => {
    let seeAgain = () => {};
    const holdHeaders = new Promise<void>((resolve) => {
      seeAgain = resolve;
    });
    const isWatchOfMaps = faultOn(
      (call) => isWatch(call) && call.resource.startsWith('namespacemaps'),
      { holdHeaders },
    );
    await running[1]?.[Symbol.asyncDispose]();
    rome.calls.plan = ofCaller(controllersUser, isWatchOfMaps);
    running[1] = startNamespaceOffloadingController(rome.context);
    const isWanted = async () => {
      const key = { namespace: 'liqo-tenant-milan', name: 'milan' };
      const map = await rome.client.get(NamespaceMap, key);
      return map?.spec.desiredMapping?.hasty !== undefined;
    };
    const key = { namespace: 'hasty', name: 'offloading' };
    try {
      await offload('hasty', {});
      await eventually(async () => expect(await isWanted()).toBe(true), patient);
      await rome.client.delete(NamespaceOffloading, key);
      await eventually(async () => expect(await isWanted()).toBe(false), patient);
    } finally {
      rome.calls.plan = noFaults;
      seeAgain();
    }
    await eventually(
      async () => expect(await rome.client.get(NamespaceOffloading, key)).toBeUndefined(),
      patient,
    );
  });

  test('comes back when somebody deletes it over there', async () => {
    await offload('phoenix', {});
    await phaseOf('phoenix', 'Ready');
    const before = await milan.client.get(Namespace, { name: 'phoenix-rome' });
    const held = { namespace: 'phoenix-rome', name: 'held' };
    const finalizers = ['example.com/held'];
    await milan.client.create(ConfigMap, { metadata: { ...held, finalizers } });
    await milan.client.delete(Namespace, { name: 'phoenix-rome' });
    await phaseOf('phoenix', 'InProgress');
    const map = await rome.client.get(NamespaceMap, {
      namespace: 'liqo-tenant-milan',
      name: 'milan',
    });
    expect(map?.status?.currentMapping?.phoenix).toMatchObject({
      phase: 'Accepted',
      reason: 'Terminating',
    });
    await milan.client.patch(ConfigMap, held, mergePatch({ metadata: { finalizers: null } }));
    await eventually(async () => {
      const after = await milan.client.get(Namespace, { name: 'phoenix-rome' });
      expect(after?.metadata.uid).not.toBe(before?.metadata.uid);
      expect(after?.metadata.deletionTimestamp).toBeUndefined();
    });
    await phaseOf('phoenix', 'Ready');
  });

  test('is refused where somebody else has that name, says so, and leaves it alone', async () => {
    await milan.client.create(Namespace, { metadata: { name: 'taken' } });
    await offload('taken', { namespaceMappingStrategy: 'EnforceSameName' });
    const offloading = await phaseOf('taken', 'AllFailed');
    expect(offloading?.status?.remoteNamespacesConditions?.milan).toContainEqual(
      expect.objectContaining({ type: 'Ready', status: 'False', reason: 'NamespaceTaken' }),
    );
    await rome.client.delete(NamespaceOffloading, { namespace: 'taken', name: 'offloading' });
    await eventually(async () => {
      const key = { namespace: 'taken', name: 'offloading' };
      expect(await rome.client.get(NamespaceOffloading, key)).toBeUndefined();
    });
    const kept = await milan.client.get(Namespace, { name: 'taken' });
    expect(kept?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('case 63 of offers: whose name over there would be too long says what to do', async () => {
    const long = 'n'.repeat(60);
    await offload(long, {});
    const offloading = await phaseOf(long, 'AllFailed');
    const conditions = offloading?.status?.remoteNamespacesConditions?.milan;
    expect(conditions?.find(({ type }) => type === 'Ready')).toMatchObject({
      reason: 'InvalidRemoteName',
      message: expect.stringContaining('SelectedName'),
    });
  });

  test('goes to the clusters that its selector picks, and leaves them when it no longer does', async () => {
    const pick = (zone: string) => ({
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
    });
    await offload('picky', { clusterSelector: pick('south') });
    await phaseOf('picky', 'NoClusterSelected');
    const change = async (zone: string) => {
      const key = { namespace: 'picky', name: 'offloading' };
      const patch = mergePatch({ spec: { clusterSelector: pick(zone) } });
      await rome.client.patch(NamespaceOffloading, key, patch);
    };
    await change('north');
    await phaseOf('picky', 'Ready');
    await change('south');
    await phaseOf('picky', 'NoClusterSelected');
    await eventually(async () => {
      expect(await milan.client.get(Namespace, { name: 'picky-rome' })).toBeUndefined();
    });
  });

  test('is gone on both sides, with everything in it, when it is not offloaded any more', async () => {
    await offload('brief', {});
    await phaseOf('brief', 'Ready');
    const key = { namespace: 'brief', name: 'offloading' };
    await rome.client.delete(NamespaceOffloading, key);
    await eventually(async () => {
      expect(await rome.client.get(NamespaceOffloading, key)).toBeUndefined();
    });
    expect(await milan.client.get(Namespace, { name: 'brief-rome' })).toBeUndefined();
    const home = await rome.client.get(Namespace, { name: 'brief' });
    expect(home?.metadata.labels).not.toHaveProperty('liqo.io/scheduling-enabled');
    const map = await rome.client.get(NamespaceMap, {
      namespace: 'liqo-tenant-milan',
      name: 'milan',
    });
    expect(map?.spec?.desiredMapping).not.toHaveProperty('brief');
  });

  test('named like a namespace that clusters keep for themselves is refused', async () => {
    await offload('hostile', {
      namespaceMappingStrategy: 'SelectedName',
      remoteNamespaceName: 'kube-evil',
    });
    await phaseOf('hostile', 'AllFailed');
    expect(await milan.client.get(Namespace, { name: 'kube-evil' })).toBeUndefined();
  });

  test('called liqo-demo is offloaded, also by that very name', async () => {
    await offload('liqo-demo', { namespaceMappingStrategy: 'EnforceSameName' });
    await phaseOf('liqo-demo', 'Ready');
    expect(await milan.client.get(Namespace, { name: 'liqo-demo' })).toBeDefined();
  });

  test.each(['kube-system', 'liqo', 'liqo-tenant-milan'])(
    'called %s is refused, and stays as it is',
    async (namespace) => {
      const before = await rome.client.get(Namespace, { name: namespace });
      await createOffloading(namespace, {});
      const offloading = await phaseOf(namespace, 'AllFailed');
      expect(offloading?.status?.remoteNamespacesConditions?.milan).toContainEqual(
        expect.objectContaining({ type: 'Ready', status: 'False', reason: 'ReservedNamespace' }),
      );
      const map = { namespace: 'liqo-tenant-milan', name: 'milan' };
      const { desiredMapping = {} } = (await rome.client.get(NamespaceMap, map))?.spec ?? {};
      expect(desiredMapping).not.toHaveProperty(namespace);
      const after = await rome.client.get(Namespace, { name: namespace });
      expect(after?.metadata.labels).toEqual(before?.metadata.labels);
    },
  );

  test('gets back the label, the role and the name that somebody takes away', async () => {
    await offload('robbed', {});
    await phaseOf('robbed', 'Ready');
    const bare = mergePatch({ metadata: { labels: { [labels.remoteClusterID]: null } } });
    await milan.client.patch(Namespace, { name: 'robbed-rome' }, bare);
    const binding = { namespace: 'robbed-rome', name: 'liqo-tenant-rome' };
    await milan.client.delete(RoleBinding, binding);
    const unlabelled = mergePatch({ metadata: { labels: { [labels.schedulingEnabled]: null } } });
    await rome.client.patch(Namespace, { name: 'robbed' }, unlabelled);
    await eventually(async () => {
      const remote = await milan.client.get(Namespace, { name: 'robbed-rome' });
      expect(remote?.metadata.labels).toMatchObject({ [labels.remoteClusterID]: 'rome' });
      expect(await milan.client.get(RoleBinding, binding)).toBeDefined();
      const home = await rome.client.get(Namespace, { name: 'robbed' });
      expect(home?.metadata.labels).toMatchObject({ [labels.schedulingEnabled]: 'true' });
    }, patient);
  });

  test('is mapped again when the map itself was deleted', async () => {
    await offload('mapped', {});
    await phaseOf('mapped', 'Ready');
    const key = { namespace: 'liqo-tenant-milan', name: 'milan' };
    const before = await rome.client.get(NamespaceMap, key);
    await rome.client.delete(NamespaceMap, key);
    await eventually(async () => {
      expect(await rome.client.get(NamespaceMap, key)).toBeUndefined();
    }, patient);
    expect(await milan.client.get(Namespace, { name: 'mapped-rome' })).toBeUndefined();
    const { name, namespace, labels: marks = {} } = before?.metadata ?? {};
    await rome.client.create(NamespaceMap, {
      metadata: { name: name ?? '', ...(namespace && { namespace }), labels: marks },
      spec: {},
    });
    await phaseOf('mapped', 'Ready');
  });

  test('with a selector that means nothing stays where it is, and says so', async () => {
    await offload('slip', {});
    await phaseOf('slip', 'Ready');
    const nonsense = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] };
    const key = { namespace: 'slip', name: 'offloading' };
    const patch = mergePatch({ spec: { clusterSelector: nonsense } });
    await rome.client.patch(NamespaceOffloading, key, patch);
    const offloading = await phaseOf('slip', 'AllFailed');
    expect(offloading?.status?.remoteNamespacesConditions?.milan).toContainEqual(
      expect.objectContaining({ type: 'Ready', reason: 'InvalidSelector' }),
    );
    const remote = await milan.client.get(Namespace, { name: 'slip-rome' });
    expect(remote?.metadata.deletionTimestamp).toBeUndefined();
  });

  test('does not wait for a provider that is gone for good when it is not offloaded any more', async () => {
    await offload('bereft', {});
    await phaseOf('bereft', 'Ready');
    milan.calls.plan = ofCaller('rome', () => lostRequest('reset'));
    const key = { namespace: 'bereft', name: 'offloading' };
    await rome.client.delete(NamespaceOffloading, key);
    await phaseOf('bereft', 'Terminating');
    await rome.client.create(ForeignCluster, {
      metadata: { name: 'milan', annotations: { [annotations.permanentlyUnreachable]: 'true' } },
      spec: { clusterID: 'milan' },
    });
    await eventually(async () => {
      expect(await rome.client.get(NamespaceOffloading, key)).toBeUndefined();
    }, patient);
    await rome.client.delete(ForeignCluster, { name: 'milan' });
    milan.calls.plan = noFaults;
  });

  test('is not written about again when the controllers start anew', async () => {
    await offload('steady', {});
    await phaseOf('steady', 'Ready');
    for (const part of running) await part[Symbol.asyncDispose]();
    rome.calls.calls.length = 0;
    milan.calls.calls.length = 0;
    running = start();
    await offload('marker', {});
    await phaseOf('marker', 'Ready');
    const writes = [...rome.calls.callsOf(controllersUser), ...milan.calls.callsOf(controllersUser)]
      .filter(isWrite)
      .filter(({ path }) => path.includes('/steady'));
    expect(writes.map(({ verb, path }) => `${verb} ${path}`)).toEqual([]);
  });
});
