import { annotations, ForeignCluster, finalizers, labels, NamespaceMap } from '@liqo/api';
import { Event, mergePatch, RoleBinding, Secret } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { isWrite, lostRequest, noFaults, ofCaller } from '@liqo/testkit/faults';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hastyClock } from '../testing/hasty-clock.ts';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { controlPlaneSecret, createTenantNamespace, introduce } from '../testing/tenancy.ts';
import { startReplicationController } from './replication-controller.ts';

const patient = { timeoutMs: 30_000 };
const here = 'liqo-tenant-milan';
const there = 'liqo-tenant-rome';

describe('a NamespaceMap for a provider', () => {
  let rome: TestCluster;
  let milan: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    [rome, milan] = await Promise.all([startCluster('rome'), startCluster('milan')]);
    await introduce(rome, milan);
  });

  beforeEach(() => {
    controller = start();
  });

  afterEach(async () => {
    milan.calls.plan = noFaults;
    await controller[Symbol.asyncDispose]();
  });

  afterAll(async () => {
    await rome[Symbol.asyncDispose]();
    await milan[Symbol.asyncDispose]();
  });

  function start(): Stoppable {
    return startReplicationController({ ...rome.context, clock: hastyClock });
  }

  async function create(name: string, extra: NamespaceMap['metadata'] = {}): Promise<void> {
    await rome.client.create(NamespaceMap, {
      metadata: {
        name,
        namespace: here,
        ...extra,
        labels: {
          [labels.replication]: 'true',
          [labels.replicationDestination]: 'milan',
          [labels.remoteClusterID]: 'milan',
          ...extra.labels,
        },
      },
      spec: { desiredMapping: { shop: 'shop-rome' } },
    });
  }

  const original = (name: string) => rome.client.get(NamespaceMap, { namespace: here, name });
  const copy = (name: string) => milan.client.get(NamespaceMap, { namespace: there, name });
  const key = (name: string) => ({ namespace: here, name });

  function copied(name: string) {
    return eventually(async () => {
      const found = await copy(name);
      if (!found) throw new Error(`no copy of ${name}`);
      return found;
    }, patient);
  }

  function isGone(get: () => Promise<unknown>) {
    return eventually(async () => expect(await get()).toBeUndefined(), patient);
  }

  test('is copied with the marks of a copy, and its status comes back', async () => {
    await create('plain', { annotations: { note: 'x' } });
    const found = await copied('plain');
    expect(found.spec).toEqual({ desiredMapping: { shop: 'shop-rome' } });
    expect(found.metadata.labels).toEqual({
      'liqo.io/originID': 'rome',
      'liqo.io/remote-cluster-id': 'rome',
      'liqo.io/remoteID': 'milan',
      'liqo.io/replicated': 'true',
      'liqo.io/replication': 'false',
    });
    expect(found.metadata.annotations).toMatchObject({ note: 'x' });
    const mapping = { shop: { remoteNamespace: 'shop-rome', phase: 'Accepted' } };
    const status = mergePatch({ status: { currentMapping: mapping } });
    const remote = { namespace: there, name: 'plain' };
    await milan.client.patch(NamespaceMap, remote, status, { subresource: 'status' });
    await eventually(async () => {
      expect((await original('plain'))?.status?.currentMapping).toEqual(mapping);
    }, patient);
  });

  test('is followed in spec, labels and annotations, and what the provider adds stays', async () => {
    await create('moving', { annotations: { note: 'x' }, labels: { team: 'blue' } });
    await copied('moving');
    const theirs = mergePatch({ metadata: { labels: { theirs: 'yes' }, finalizers: ['a/b'] } });
    await milan.client.patch(NamespaceMap, { namespace: there, name: 'moving' }, theirs);
    const ours = mergePatch({
      metadata: { annotations: { note: 'y' }, labels: { team: null, colour: 'red' } },
      spec: { desiredMapping: { shop: null, bar: 'bar-rome' } },
    });
    await rome.client.patch(NamespaceMap, key('moving'), ours);
    await eventually(async () => {
      const found = await copy('moving');
      expect(found?.spec?.desiredMapping).toEqual({ bar: 'bar-rome' });
      expect(found?.metadata).toMatchObject({
        annotations: { note: 'y' },
        labels: { colour: 'red', theirs: 'yes' },
        finalizers: ['a/b'],
      });
      expect(found?.metadata.labels).not.toHaveProperty('team');
    }, patient);
    await milan.client.patch(
      NamespaceMap,
      { namespace: there, name: 'moving' },
      mergePatch({ metadata: { finalizers: null } }),
    );
  });

  test('has its copy made again that somebody deletes, and put right that somebody changes', async () => {
    await create('phoenix');
    const { metadata } = await copied('phoenix');
    await milan.client.delete(NamespaceMap, { namespace: there, name: 'phoenix' });
    await eventually(async () => {
      expect((await copied('phoenix')).metadata.uid).not.toBe(metadata.uid);
    }, patient);
    const meddling = mergePatch({ spec: { desiredMapping: { shop: 'kube-system' } } });
    await milan.client.patch(NamespaceMap, { namespace: there, name: 'phoenix' }, meddling);
    await eventually(async () => {
      expect((await copy('phoenix'))?.spec?.desiredMapping).toEqual({ shop: 'shop-rome' });
    }, patient);
  });

  test('goes after its copy, which may take its time', async () => {
    await create('slow');
    await copied('slow');
    const held = mergePatch({ metadata: { finalizers: ['example.org/slow'] } });
    await milan.client.patch(NamespaceMap, { namespace: there, name: 'slow' }, held);
    await rome.client.delete(NamespaceMap, key('slow'));
    await eventually(async () => {
      expect((await copy('slow'))?.metadata.deletionTimestamp).toBeDefined();
    }, patient);
    expect(await original('slow')).toBeDefined();
    const free = mergePatch({ metadata: { finalizers: null } });
    await milan.client.patch(NamespaceMap, { namespace: there, name: 'slow' }, free);
    await isGone(() => original('slow'));
    expect(await copy('slow')).toBeUndefined();
  });

  test('that was deleted while nobody was there goes after its copy when somebody is again', async () => {
    await create('absent');
    await copied('absent');
    await controller[Symbol.asyncDispose]();
    await rome.client.delete(NamespaceMap, key('absent'));
    controller = start();
    await isGone(() => original('absent'));
    expect(await copy('absent')).toBeUndefined();
    const { items } = await rome.client.list(Event);
    expect(items.filter(({ reason }) => reason === 'PeerGone')).toEqual([]);
  });

  test('that went by force is followed by its copy', async () => {
    await create('forced');
    await copied('forced');
    await controller[Symbol.asyncDispose]();
    await rome.client.delete(NamespaceMap, key('forced'));
    await rome.client.patch(
      NamespaceMap,
      key('forced'),
      mergePatch({ metadata: { finalizers: null } }),
    );
    controller = start();
    await isGone(() => copy('forced'));
  });

  test('does not touch an object of that name that is not its copy', async () => {
    await milan.client.create(NamespaceMap, {
      metadata: { name: 'theirs', namespace: there },
      spec: { desiredMapping: {} },
    });
    await create('theirs');
    await eventually(async () => {
      const { items } = await rome.client.list(Event);
      expect(items.map(({ reason }) => reason)).toContain('NameTaken');
    }, patient);
    await rome.client.delete(NamespaceMap, key('theirs'));
    await isGone(() => original('theirs'));
    expect((await copy('theirs'))?.metadata).not.toHaveProperty('deletionTimestamp');
  });

  test('survives a peer that is away, and the loss of its rights there', async () => {
    await create('patient');
    await copied('patient');
    const rename = async (remote: string) => {
      const patch = mergePatch({ spec: { desiredMapping: { shop: remote } } });
      await rome.client.patch(NamespaceMap, key('patient'), patch);
    };
    const follows = (remote: string) =>
      eventually(async () => {
        expect((await copy('patient'))?.spec?.desiredMapping).toEqual({ shop: remote });
      }, patient);
    milan.calls.plan = ofCaller('rome', () => lostRequest('reset'));
    await rename('shop-2');
    await eventually(() => {
      const tries = milan.calls.callsOf('rome').filter(({ name }) => name === 'patient');
      expect(tries.length).toBeGreaterThan(2);
    }, patient);
    milan.calls.plan = noFaults;
    await follows('shop-2');
    const bindingKey = { namespace: there, name: 'liqo-binding-liqo-remote-controlplane' };
    const binding = await milan.client.get(RoleBinding, bindingKey);
    if (!binding) throw new Error('no binding');
    await milan.client.delete(RoleBinding, bindingKey);
    await rename('shop-3');
    await eventually(async () => {
      const { items } = await rome.client.list(Event);
      const note = items.find(({ reason }) => reason === 'Forbidden')?.note;
      expect(note).toContain('"milan" refuses our credentials');
    }, patient);
    const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = binding.metadata;
    await milan.client.create(RoleBinding, { ...binding, metadata });
    await rome.client.patch(
      NamespaceMap,
      key('patient'),
      mergePatch({ metadata: { annotations: { nudge: '1' } } }),
    );
    await follows('shop-3');
  });

  test('is released, and so are the credentials, when the provider has taken our rights away', async () => {
    await create('drained');
    await copied('drained');
    await create('kept');
    await copied('kept');
    const bindingKey = { namespace: there, name: 'liqo-binding-liqo-remote-controlplane' };
    const binding = await milan.client.get(RoleBinding, bindingKey);
    if (!binding) throw new Error('no binding');
    await milan.client.delete(RoleBinding, bindingKey);
    await rome.client.delete(NamespaceMap, key('drained'));
    await isGone(() => original('drained'));
    const secretKey = { namespace: here, name: 'kubeconfig-controlplane-milan' };
    await rome.client.delete(Secret, secretKey);
    await isGone(() => rome.client.get(Secret, secretKey));
    expect(await original('kept')).toBeDefined();
    await eventually(async () => {
      const { items } = await rome.client.list(Event);
      const abandoned = items.filter(({ reason }) => reason === 'CopyAbandoned');
      expect(abandoned.map(({ regarding }) => regarding?.name).sort()).toEqual(
        ['drained', secretKey.name].sort(),
      );
      for (const { note } of abandoned) {
        expect(note).toContain('"milan" refuses our credentials');
        expect(note).toContain(there);
      }
    }, patient);
    const { uid: _, resourceVersion: __, creationTimestamp: ___, ...metadata } = binding.metadata;
    await milan.client.create(RoleBinding, { ...binding, metadata });
    await rome.client.create(Secret, controlPlaneSecret(rome, milan));
    // With rights again, the copy whose original is gone goes too, and the other one stays.
    await isGone(() => copy('drained'));
    expect(await copy('kept')).toBeDefined();
  });

  test('is not written about again when the controller starts anew', async () => {
    await create('steady');
    await copied('steady');
    await controller[Symbol.asyncDispose]();
    rome.calls.calls.length = 0;
    milan.calls.calls.length = 0;
    controller = start();
    await create('marker');
    await copied('marker');
    const writes = [...rome.calls.callsOf(controllersUser), ...milan.calls.callsOf('rome')]
      .filter(isWrite)
      .filter(({ name, body }) => name !== 'marker' && !String(body).includes('marker'));
    expect(writes.map(({ verb, path }) => `${verb} ${path}`)).toEqual([]);
  });

  test('is released when its provider is gone for good, and so are the credentials', async () => {
    await create('dead');
    await copied('dead');
    milan.calls.plan = ofCaller('rome', () => lostRequest('reset'));
    await rome.client.delete(NamespaceMap, key('dead'));
    await rome.client.delete(Secret, { namespace: here, name: 'kubeconfig-controlplane-milan' });
    expect((await original('dead'))?.metadata.finalizers).toEqual([finalizers.replicatedResource]);
    await rome.client.create(ForeignCluster, {
      metadata: { name: 'milan', annotations: { [annotations.permanentlyUnreachable]: 'true' } },
      spec: { clusterID: 'milan' },
    });
    await isGone(() => original('dead'));
    await isGone(() =>
      rome.client.get(Secret, { namespace: here, name: 'kubeconfig-controlplane-milan' }),
    );
    await eventually(async () => {
      const { items } = await rome.client.list(Event);
      const notes = items.filter(({ reason }) => reason === 'PeerGone').map(({ note }) => note);
      expect(notes.join()).toContain('may still exist');
    }, patient);
    await rome.client.delete(ForeignCluster, { name: 'milan' });
    milan.calls.plan = noFaults;
    await rome.client.create(Secret, controlPlaneSecret(rome, milan));
    await isGone(() => copy('dead'));
  });

  test.each([
    ['without an annotation', { annotations: {} }, 'InvalidSecret'],
    ['that leads nowhere', {}, 'InvalidKubeconfig'],
    ['of a peer that has one', {}, 'DuplicateIdentity'],
  ])('has no use for credentials %s, which can go', async (_, change, reason) => {
    const secret = controlPlaneSecret(rome, milan);
    const name = `unused-${reason.toLowerCase()}`;
    const peer = reason === 'DuplicateIdentity' ? 'milan' : `peer-of-${name}`;
    const marks = { ...secret.metadata?.labels, [labels.remoteClusterID]: peer };
    const namespace = `liqo-tenant-${peer}`;
    if (peer !== 'milan') await createTenantNamespace(rome, peer);
    await rome.client.create(Secret, {
      ...secret,
      metadata: { ...secret.metadata, namespace, name, labels: marks, ...change },
      ...(reason === 'InvalidKubeconfig' && { data: { kubeconfig: 'bm90aGluZw==' } }),
    });
    await eventually(async () => {
      const { items } = await rome.client.list(Event);
      const about = items.filter(({ regarding }) => regarding?.name === name);
      expect(about.map((event) => event.reason)).toContain(reason);
    }, patient);
    await rome.client.delete(Secret, { namespace, name });
    await isGone(() => rome.client.get(Secret, { namespace, name }));
  });

  test('goes on with other credentials when those it had are deleted', async () => {
    const secret = controlPlaneSecret(rome, milan);
    const spare = { ...secret, metadata: { ...secret.metadata, name: 'spare' } };
    await rome.client.create(Secret, spare);
    await controller[Symbol.asyncDispose]();
    const first = { namespace: here, name: 'kubeconfig-controlplane-milan' };
    await rome.client.delete(Secret, first);
    await rome.client.patch(Secret, first, mergePatch({ metadata: { finalizers: null } }));
    controller = start();
    await create('spared');
    await copied('spared');
  });
});
