import {
  annotations,
  Configuration,
  ForeignCluster,
  Identity,
  labels,
  NamespaceMap,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import { findCondition, mergePatch, Node, Secret } from '@liqo/kube';
import { faultOn, isWrite, linkFaults, noFaults, refusal } from '@liqo/testkit/faults';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createTenantNamespace,
  type PeerWorld,
  secretName,
  startPeerWorld,
  tenantNamespace,
} from '../testing/peer-world.ts';

let world: PeerWorld;

beforeEach(async () => {
  world = await startPeerWorld();
  world.start();
  await world.clock.advance(1_000);
});

afterEach(() => world[Symbol.asyncDispose]());

const foreignCluster = (name = 'milan') => world.rome.admin.get(ForeignCluster, { name });
const pass = (ms: number) => world.clock.advance(ms);
const secretKey = { namespace: tenantNamespace, name: secretName };

async function apiServer() {
  return findCondition((await foreignCluster())?.status?.conditions, 'APIServerStatus');
}

async function identity() {
  const conditions = (await foreignCluster())?.status?.modules?.authentication.conditions;
  return findCondition(conditions, 'AuthIdentityControlPlaneStatus');
}

const probes = () => world.milan.faults.calls.filter(({ path }) => path === '/livez');
const writes = () =>
  world.rome.faults.calls.filter(
    (call) => isWrite(call) && call.resource.startsWith('foreignclusters'),
  );

const about = { namespace: tenantNamespace, labels: { [labels.remoteClusterID]: 'milan' } };

describe('a ForeignCluster', () => {
  test('does not exist for a tenant namespace alone', async () => {
    await pass(60_000);
    expect(await foreignCluster()).toBeUndefined();
    expect(writes()).toEqual([]);
  });

  test.each([
    [
      'a VirtualNode',
      () =>
        world.rome.admin.create(VirtualNode, {
          metadata: { namespace: 'shop', name: 'mynode' },
          spec: { clusterID: 'milan' },
        }),
      () => world.rome.admin.delete(VirtualNode, { namespace: 'shop', name: 'mynode' }),
    ],
    [
      'a virtual Node',
      () =>
        world.rome.admin.create(Node, {
          metadata: {
            name: 'mynode',
            labels: { [labels.type]: 'virtual-node', [labels.remoteClusterID]: 'milan' },
          },
        }),
      () => world.rome.admin.delete(Node, { name: 'mynode' }),
    ],
    [
      'an Identity',
      () =>
        world.rome.admin.create(Identity, {
          metadata: { ...about, name: 'a' },
          spec: { clusterID: 'milan', type: 'ControlPlane' },
        }),
      () => world.rome.admin.delete(Identity, { ...about, name: 'a' }),
    ],
    [
      'a Tenant',
      () =>
        world.rome.admin.create(Tenant, {
          metadata: { ...about, name: 'a' },
          spec: {
            clusterID: 'milan',
            authzPolicy: 'KeysExchange',
            tenantCondition: 'Active',
          },
        }),
      () => world.rome.admin.delete(Tenant, { ...about, name: 'a' }),
    ],
    [
      'a ResourceSlice',
      () => world.rome.admin.create(ResourceSlice, { metadata: { ...about, name: 'a' }, spec: {} }),
      () => world.rome.admin.delete(ResourceSlice, { ...about, name: 'a' }),
    ],
    [
      'a Configuration',
      () => world.rome.admin.create(Configuration, { metadata: { ...about, name: 'a' }, spec: {} }),
      () => world.rome.admin.delete(Configuration, { ...about, name: 'a' }),
    ],
  ])('appears with %s and goes with it', async (_, create, remove) => {
    await create();
    await pass(1_000);
    const found = await foreignCluster();
    expect(found?.metadata).toMatchObject({ labels: { [labels.remoteClusterID]: 'milan' } });
    expect(found?.spec.clusterID).toBe('milan');
    expect(found?.status?.observedGeneration).toBe(1);
    expect(found?.status?.tenantNamespace?.local).toBe(tenantNamespace);
    await remove();
    await pass(1_000);
    expect(await foreignCluster()).toBeUndefined();
  });

  test('follows its objects with one write for each change', async () => {
    await world.connect();
    await pass(10_000);
    expect((await foreignCluster())?.status?.role).toBe('Provider');
    const before = writes().length;
    const spec = { clusterID: 'milan', createNode: false };
    const key = { namespace: tenantNamespace, name: 'mynode' };
    await world.rome.admin.create(VirtualNode, { metadata: key, spec });
    await pass(1_000);
    const running = { type: 'VirtualKubelet', status: 'Running' };
    const ready = mergePatch({ status: { conditions: [running] } });
    await world.rome.admin.patch(VirtualNode, key, ready, { subresource: 'status' });
    await pass(1_000);
    const { offloading } = (await foreignCluster())?.status?.modules ?? {};
    expect(offloading?.conditions?.map(({ status }) => status)).toEqual(['Ready', 'Ready']);
    expect(writes()).toHaveLength(before + 2);
    await pass(300_000);
    expect(writes()).toHaveLength(before + 2);
  });

  test('is created again when a person deletes it', async () => {
    await world.connect();
    await pass(5_000);
    const uid = (await foreignCluster())?.metadata.uid;
    await world.rome.admin.delete(ForeignCluster, { name: 'milan' });
    await pass(5_000);
    expect((await foreignCluster())?.metadata.uid).not.toBe(uid);
    expect((await apiServer())?.status).toBe('Established');
  });

  test('of a person stays as it is without objects', async () => {
    const byHand = { metadata: { name: 'turin' }, spec: { clusterID: 'turin' } };
    await world.rome.admin.create(ForeignCluster, byHand);
    await pass(60_000);
    expect((await foreignCluster('turin'))?.status).toBeUndefined();
    expect(writes()).toEqual([]);
  });

  test('of a person is filled in, and emptied with the last object', async () => {
    await world.rome.admin.create(ForeignCluster, {
      metadata: { name: 'milan' },
      spec: { clusterID: 'milan' },
    });
    await world.connect();
    await pass(10_000);
    expect((await foreignCluster())?.status?.role).toBe('Provider');
    await world.rome.admin.delete(Secret, secretKey);
    await pass(10_000);
    expect((await foreignCluster())?.status).toMatchObject({ role: 'Unknown' });
    expect(await apiServer()).toBeUndefined();
  });

  test('loses the finalizer of Liqo when it is deleted', async () => {
    await world.rome.admin.create(ForeignCluster, {
      metadata: { name: 'turin', finalizers: ['api-server-checker.liqo.io/finalizer'] },
      spec: { clusterID: 'turin' },
    });
    await world.rome.admin.delete(ForeignCluster, { name: 'turin' });
    await pass(5_000);
    expect(await foreignCluster('turin')).toBeUndefined();
  });

  test('stays while a peer that is given up has something left', async () => {
    await world.connect();
    await world.rome.admin.create(NamespaceMap, {
      metadata: {
        ...about,
        name: 'milan',
        labels: {
          ...about.labels,
          [labels.replication]: 'true',
          [labels.replicationDestination]: 'milan',
        },
      },
      spec: { desiredMapping: {} },
    });
    await pass(10_000);
    world.milan.faults.plan = linkFaults.refused;
    await pass(60_000);
    const mark = { annotations: { [annotations.permanentlyUnreachable]: 'true' } };
    await world.rome.admin.patch(ForeignCluster, { name: 'milan' }, mergePatch({ metadata: mark }));
    await world.rome.admin.delete(Secret, secretKey);
    await pass(60_000);
    expect(await foreignCluster()).toBeDefined();
    await world.rome.admin.delete(NamespaceMap, { ...about, name: 'milan' });
    await pass(60_000);
    const maps = await world.rome.admin.list(NamespaceMap);
    expect(maps.items).toEqual([]);
    // The tenant namespace is left: what else is deleted in it may need the annotation.
    expect(await foreignCluster()).toBeDefined();
  });
});

describe('a hostile consumer', () => {
  test('makes no ForeignCluster of another name than its own', async () => {
    await createTenantNamespace(world.rome, 'mallory');
    const metadata = { namespace: 'liqo-tenant-mallory', name: 'a' };
    const victim = { [labels.remoteClusterID]: 'victim' };
    await world.rome.admin.create(ResourceSlice, {
      metadata: { ...metadata, labels: { ...victim, [labels.replicationOrigin]: 'victim' } },
      spec: { consumerClusterID: 'victim', providerClusterID: 'other' },
    });
    await world.rome.admin.create(Tenant, {
      metadata: { ...metadata, labels: victim },
      spec: { clusterID: 'victim', authzPolicy: 'KeysExchange', tenantCondition: 'Active' },
    });
    await pass(5_000);
    const { items } = await world.rome.admin.list(ForeignCluster);
    expect(items.map(({ metadata: { name } }) => name)).toEqual(['mallory']);
    expect(items[0]?.status?.role).toBe('Unknown');
  });
});

describe('the API server of a provider', () => {
  beforeEach(async () => {
    await world.connect();
    await pass(5_000);
  });

  test('is Established once it answers, and each probe after that writes nothing', async () => {
    expect(await apiServer()).toMatchObject({ status: 'Established', reason: 'APIServerReady' });
    const [asked, written] = [probes().length, writes().length];
    await pass(600_000);
    expect(writes()).toHaveLength(written);
    const rate = (probes().length - asked) / 600;
    expect(rate).toBeGreaterThan(0.03);
    expect(rate).toBeLessThan(0.04);
  });

  test('gets less than 0.05 requests a second at rest, all together', async () => {
    world.milan.faults.calls.length = 0;
    await pass(3_600_000);
    expect(world.milan.faults.calls.length / 3_600).toBeLessThan(0.05);
  });

  test.each(['refused', 'lostRequest', 'failing'] as const)(
    'is in Error within 45 s of an outage (%s), and Established within 20 s of its end',
    async (fault) => {
      const [written, before] = [writes().length, await apiServer()];
      world.milan.faults.plan = linkFaults[fault];
      await pass(45_000);
      expect(await apiServer()).toMatchObject({ status: 'Error', reason: 'APIServerNotReady' });
      await pass(600_000);
      expect(writes()).toHaveLength(written + 1);
      world.milan.faults.plan = noFaults;
      await pass(20_000);
      expect(await apiServer()).toMatchObject({ status: 'Established' });
      expect((await apiServer())?.lastTransitionTime).not.toBe(before?.lastTransitionTime);
      expect(writes()).toHaveLength(written + 2);
    },
  );

  test('stays Established when one probe is lost', async () => {
    const written = writes().length;
    let lost = 0;
    world.milan.faults.plan = ({ path }) =>
      path === '/livez' && lost++ === 0 ? refusal(500) : undefined;
    await pass(120_000);
    expect(lost).toBeGreaterThan(1);
    expect(writes()).toHaveLength(written);
  });

  test('does not accept a revoked identity: both conditions say so, and heal', async () => {
    world.milan.faults.plan = () => refusal(401);
    await pass(45_000);
    expect(await apiServer()).toMatchObject({ status: 'Error' });
    expect(await identity()).toMatchObject({ status: 'NotReady', reason: 'Unauthorized' });
    world.milan.faults.plan = noFaults;
    await pass(30_000);
    expect(await apiServer()).toMatchObject({ status: 'Established' });
    expect(await identity()).toMatchObject({ status: 'Ready', reason: 'IdentityReady' });
  });

  test('is ready if it only refuses the health check', async () => {
    world.milan.faults.plan = faultOn(({ path }) => path === '/livez', refusal(403));
    await pass(120_000);
    expect(await apiServer()).toMatchObject({ status: 'Established' });
  });

  test('cannot be connected to with a Secret that is no kubeconfig', async () => {
    const nonsense = { data: { kubeconfig: Buffer.from('nonsense').toString('base64') } };
    await world.rome.admin.patch(Secret, secretKey, mergePatch(nonsense));
    await pass(60_000);
    expect(await apiServer()).toMatchObject({
      status: 'Error',
      message: expect.stringContaining('kubeconfig'),
    });
  });

  test('keeps its recorded condition over a restart', async () => {
    const [before, written] = [await apiServer(), writes().length];
    await world.stop();
    world.start();
    await pass(60_000);
    expect(await apiServer()).toEqual(before);
    expect(writes()).toHaveLength(written);
  });

  test.each([
    ['that was revoked', () => refusal(401), 0],
    ['that has expired', () => undefined, 400 * 24 * 60 * 60_000],
  ])('keeps the condition of an identity %s over a restart', async (_, plan, skewMs) => {
    world.milan.faults.plan = plan;
    world.clock.skewMs = skewMs;
    const note = mergePatch({ metadata: { annotations: { note: 'x' } } });
    await world.rome.admin.patch(ForeignCluster, { name: 'milan' }, note);
    await pass(45_000);
    const [before, written] = [await identity(), writes().length];
    expect(before?.status).toBe('NotReady');
    await world.stop();
    world.start();
    await pass(60_000);
    expect(await identity()).toEqual(before);
    expect(writes()).toHaveLength(written);
  });

  test('is not probed any more once the credentials are gone', async () => {
    await world.rome.admin.delete(Secret, secretKey);
    await pass(60_000);
    const asked = probes().length;
    await pass(60_000);
    expect(probes()).toHaveLength(asked);
    expect(await foreignCluster()).toBeUndefined();
  });

  test('is measured: latency and expiry, for as long as there is a connection', async () => {
    const text = await world.metrics.text();
    expect(text).toMatch(/liqo_peer_api_server_latency_seconds\{cluster_id="milan"\} \d/);
    expect(text).toMatch(/liqo_identity_expiry_timestamp_seconds\{cluster_id="milan"\} 19\d{8}\n/);
    await world.rome.admin.delete(Secret, secretKey);
    await pass(10_000);
    expect(await world.metrics.text()).not.toContain('milan');
  });

  test('is not to blame for a certificate that has expired', async () => {
    world.clock.skewMs = 400 * 24 * 60 * 60_000;
    const note = mergePatch({ metadata: { annotations: { note: 'x' } } });
    await world.rome.admin.patch(ForeignCluster, { name: 'milan' }, note);
    await pass(1_000);
    expect(await identity()).toMatchObject({
      status: 'NotReady',
      reason: 'CertificateExpired',
      message: expect.stringContaining('expired at 2030-'),
    });
  });
});
