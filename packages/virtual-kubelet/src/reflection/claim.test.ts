import { labels, VirtualNode } from '@liqo/api';
import {
  mergePatch,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  type Stored,
} from '@liqo/kube';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunningWorld, tenantNamespace } from '../testing/offloading-world.ts';

const local = { namespace: 'shop', name: 'data-db-0' };
const remote = { namespace: 'shop-rome', name: 'data-db-0' };
const requests = { storage: '1Gi' };

let world: Awaited<ReturnType<typeof startRunningWorld>>;
beforeEach(async () => {
  world = await startRunningWorld();
  await offer([{ storageClassName: 'fast', default: true }]);
});
afterEach(() => world[Symbol.asyncDispose]());

const offer = (storageClasses: readonly { storageClassName: string; default?: boolean }[]) =>
  world.home.admin.patch(
    VirtualNode,
    { namespace: tenantNamespace, name: 'mynode' },
    mergePatch({ spec: { storageClasses: [...storageClasses] } }),
  );

/** As Kubernetes leaves a claim once its pod has got a Node. */
async function create(reclaimPolicy: string, node = 'mynode') {
  const { admin } = world.home;
  await admin
    .create(StorageClass, {
      metadata: { name: 'virtual' },
      provisioner: 'liqo.io/storage',
      reclaimPolicy,
    })
    .catch(() => undefined);
  const annotations = {
    'volume.kubernetes.io/storage-provisioner': 'liqo.io/storage',
    'volume.kubernetes.io/selected-node': node,
    note: 'x',
  };
  return admin.create(PersistentVolumeClaim, {
    metadata: { ...local, annotations },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'virtual', resources: { requests } },
  });
}

const copy = () => world.away.admin.get(PersistentVolumeClaim, remote);
const volumeOf = ({ metadata }: Stored<PersistentVolumeClaim>) =>
  world.home.admin.get(PersistentVolume, { name: `pvc-${metadata.uid}` });

const untilBoundThere = (claim: Stored<PersistentVolumeClaim>) =>
  world.until(async () => {
    const found = await volumeOf(claim);
    if (!found) throw new Error('There is no volume');
    return found;
  });

/** The claim goes, and Kubernetes says of its volume that it is not used any more. */
async function release({ metadata }: Stored<PersistentVolumeClaim>): Promise<void> {
  const { admin } = world.home;
  await admin.delete(PersistentVolumeClaim, local);
  const status = mergePatch({ status: { phase: 'Released' } });
  await admin.patch(PersistentVolume, { name: `pvc-${metadata.uid}` }, status, {
    subresource: 'status',
  });
}

describe('a claim whose pod was bound to the virtual node', () => {
  test('gets storage at the provider, and a volume that only virtual nodes of it can use', async () => {
    const claim = await create('Retain');
    const volume = await untilBoundThere(claim);
    expect((await copy())?.spec).toMatchObject({
      accessModes: ['ReadWriteOnce'],
      volumeMode: 'Filesystem',
      resources: { requests },
      storageClassName: 'fast',
    });
    expect((await copy())?.metadata.annotations).toEqual({
      note: 'x',
      'offloading.liqo.io/claim-uid': claim.metadata.uid,
    });
    const matchExpressions = [{ key: labels.remoteClusterID, operator: 'In', values: ['milan'] }];
    expect(volume.spec).toMatchObject({
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'virtual',
      persistentVolumeReclaimPolicy: 'Retain',
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      claimRef: { ...local, uid: claim.metadata.uid },
    });
  });

  test('loses its storage with its end, if the reclaim policy says so', async () => {
    const claim = await create('Delete');
    await untilBoundThere(claim);
    await release(claim);
    await world.until(async () => expect(await copy()).toBeUndefined());
    await world.until(async () => expect(await volumeOf(claim)).toBeUndefined());
  });

  test('leaves its storage and its volume otherwise, also after a restart', async () => {
    const claim = await create('Retain');
    await untilBoundThere(claim);
    await release(claim);
    await world.pass(5_000);
    await world.stop(world.kubelet);
    await world.startWorkingKubelet();
    await world.pass(90_000);
    expect(await copy()).toBeDefined();
    expect(await volumeOf(claim)).toBeDefined();
  });

  test('does not get the data of an earlier claim of its name, and says so', async () => {
    const earlier = await create('Retain');
    await untilBoundThere(earlier);
    await release(earlier);
    const claim = await create('Retain');
    await world.until(() =>
      expect(world.events.map(({ note }) => note).join('\n')).toContain('has kept the data'),
    );
    expect(await volumeOf(claim)).toBeUndefined();
    await world.away.admin.delete(PersistentVolumeClaim, remote);
    await untilBoundThere(claim);
  });

  test('gets storage of its own after an earlier claim whose data goes', async () => {
    const earlier = await create('Delete');
    await untilBoundThere(earlier);
    await release(earlier);
    const claim = await create('Delete');
    await untilBoundThere(claim);
    await world.until(async () => expect(await volumeOf(earlier)).toBeUndefined());
    const { 'offloading.liqo.io/claim-uid': uid } = (await copy())?.metadata.annotations ?? {};
    expect(uid).toBe(claim.metadata.uid);
  });

  test('says so while the provider offers no storage', async () => {
    await offer([]);
    const claim = await create('Delete');
    await world.until(() =>
      expect(world.events.map(({ note }) => note).join('\n')).toContain('offers no storage class'),
    );
    await offer([{ storageClassName: 'fast' }]);
    await untilBoundThere(claim);
  });
});

test('a claim for another Node stays', async () => {
  const claim = await create('Delete', 'worker');
  await world.pass(5_000);
  expect([await copy(), await volumeOf(claim)]).toEqual([undefined, undefined]);
});
