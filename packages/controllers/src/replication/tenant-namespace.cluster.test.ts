import { annotations, finalizers, labels, NamespaceMap } from '@liqo/api';
import { Event, mergePatch, Namespace, Secret } from '@liqo/kube';
import type { Stoppable } from '@liqo/runtime';
import { eventually } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hastyClock } from '../testing/hasty-clock.ts';
import { controllersUser } from '../testing/installation.ts';
import { startCluster, type TestCluster } from '../testing/start-cluster.ts';
import { controlPlaneSecret, createTenantNamespace, introduce } from '../testing/tenancy.ts';
import { startReplicationController } from './replication-controller.ts';

const patient = { timeoutMs: 30_000 };

/** "apps" is a namespace in which a user has all rights; its Secrets come before those of tenant namespaces, also by name. */
describe('the credentials of a peer', () => {
  let rome: TestCluster;
  let milan: TestCluster;
  let controller: Stoppable;

  beforeAll(async () => {
    [rome, milan] = await Promise.all([startCluster('rome'), startCluster('milan')]);
    await introduce(rome, milan);
    await rome.client.create(Namespace, { metadata: { name: 'apps' } });
    controller = startReplicationController({ ...rome.context, clock: hastyClock });
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await rome[Symbol.asyncDispose]();
    await milan[Symbol.asyncDispose]();
  });

  /** They lead to "milan", whatever peer they name. */
  function credentialsFor(peer: string, metadata: Secret['metadata']): Secret {
    const secret = controlPlaneSecret(rome, milan);
    const marks = { ...secret.metadata?.labels, [labels.remoteClusterID]: peer };
    return { ...secret, metadata: { ...secret.metadata, labels: marks, ...metadata } };
  }

  async function createMap(name: string, namespace: string, peer: string): Promise<void> {
    const marks = {
      [labels.replication]: 'true',
      [labels.replicationDestination]: peer,
      [labels.remoteClusterID]: peer,
    };
    await rome.client.create(NamespaceMap, {
      metadata: { name, namespace, labels: marks },
      spec: { desiredMapping: {} },
    });
  }

  const copyIn = (namespace: string, name: string) =>
    milan.client.get(NamespaceMap, { namespace, name });

  function reasonsAbout(name: string): Promise<readonly (string | undefined)[]> {
    return rome.client
      .list(Event)
      .then(({ items }) => items.filter(({ regarding }) => regarding?.name === name))
      .then((events) => events.map(({ reason }) => reason));
  }

  test('are not those of an older Secret that a user has put into another namespace', async () => {
    const squatted = credentialsFor('oslo', {
      name: 'squatter',
      namespace: 'apps',
      annotations: { [annotations.remoteTenantNamespace]: 'default' },
    });
    await rome.client.create(Secret, squatted);
    await createTenantNamespace(rome, 'oslo');
    const own = { name: 'kubeconfig-controlplane-oslo', namespace: 'liqo-tenant-oslo' };
    await rome.client.create(Secret, credentialsFor('oslo', own));
    await createMap('letters', 'liqo-tenant-oslo', 'oslo');
    await eventually(async () => {
      expect(await copyIn('liqo-tenant-rome', 'letters')).toBeDefined();
    }, patient);
    expect(await copyIn('default', 'letters')).toBeUndefined();
    const squatter = await rome.client.get(Secret, { namespace: 'apps', name: 'squatter' });
    expect(squatter?.metadata.finalizers).toBeUndefined();
    const read = rome.calls
      .callsOf(controllersUser)
      .filter(({ resource }) => resource === 'secrets')
      .map(({ namespace }) => namespace);
    expect([...new Set(read)].sort()).toEqual(['liqo-tenant-milan', 'liqo-tenant-oslo']);
  });

  test('are not those of a Secret in the tenant namespace of another peer, which can go', async () => {
    const key = { name: 'of-turin', namespace: 'liqo-tenant-milan' };
    await rome.client.create(Secret, credentialsFor('turin', key));
    await eventually(async () => {
      expect(await reasonsAbout('of-turin')).toContain('NotInTenantNamespace');
    }, patient);
    const secret = await rome.client.get(Secret, key);
    expect(secret?.metadata.finalizers).toBeUndefined();
    await rome.client.delete(Secret, key);
    expect(await rome.client.get(Secret, key)).toBeUndefined();
  });

  test('do not serve an object of another namespace, which can go', async () => {
    const key = { name: 'smuggled', namespace: 'apps' };
    await createMap(key.name, key.namespace, 'milan');
    await eventually(async () => {
      expect(await reasonsAbout('smuggled')).toContain('NotInTenantNamespace');
    }, patient);
    expect(await copyIn('liqo-tenant-rome', 'smuggled')).toBeUndefined();
    await rome.client.delete(NamespaceMap, key);
    await eventually(async () => {
      expect(await rome.client.get(NamespaceMap, key)).toBeUndefined();
    }, patient);
  });

  test('are released when their namespace is no tenant namespace any more, and used when it is again', async () => {
    const key = { namespace: 'liqo-tenant-milan', name: 'kubeconfig-controlplane-milan' };
    const label = (value: string | null) =>
      rome.client.patch(
        Namespace,
        { name: key.namespace },
        mergePatch({ metadata: { labels: { [labels.tenantNamespace]: value } } }),
      );
    const held = async () => (await rome.client.get(Secret, key))?.metadata.finalizers ?? [];
    await eventually(async () => expect(await held()).toEqual([finalizers.replicator]), patient);
    await label(null);
    await eventually(async () => expect(await held()).toEqual([]), patient);
    await createMap('waiting', key.namespace, 'milan');
    await label('true');
    await eventually(async () => {
      expect(await copyIn('liqo-tenant-rome', 'waiting')).toBeDefined();
    }, patient);
  });
});
