import { createPublicKey, X509Certificate } from 'node:crypto';
import { annotations, labels, Quota, ResourceSlice, Tenant } from '@liqo/api';
import { Event, isInvalid, mergePatch, Secret, StorageClass } from '@liqo/kube';
import { sliceSubject } from '@liqo/model';
import type { Stoppable } from '@liqo/runtime';
import { eventually, rejection } from '@liqo/testkit';
import { isWrite } from '@liqo/testkit/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Applicant } from '../testing/applicant.ts';
import { controllersUser } from '../testing/installation.ts';
import { namespaceOf, ProviderWorld, patient } from '../testing/provider-world.ts';
import { startProviderSlices } from './provider-slices.ts';

type Spec = NonNullable<ResourceSlice['spec']>;

const apiServer = { address: 'milan.example:6443', ca: '', isTrusted: false };
const resources = { cpu: '4', memory: '8Gi', pods: '110', 'ephemeral-storage': '20Gi' };

describe('a slice of a consumer', () => {
  let world: ProviderWorld;
  let rome: Applicant;
  let controller: Stoppable;

  beforeAll(async () => {
    world = await ProviderWorld.start();
    rome = await world.admit('rome');
    await world.milan.client.create(StorageClass, {
      metadata: { name: 'liqo' },
      provisioner: 'example.org/disk',
    });
    controller = start();
  });

  afterAll(async () => {
    await controller[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  });

  function start(): Stoppable {
    return startProviderSlices(world.milan.context, {
      apiServer,
      defaultClass: { isEnabled: true, resources, nodeLabels: { region: 'south' } },
      storage: { allowed: ['*'], defaultClass: '' },
      tenantLimits: { namespaces: 1, pods: 1, slices: 9 },
      limitsEnforcement: 'None',
    });
  }

  const keyOf = (name: string, consumer = 'rome') => ({ namespace: namespaceOf(consumer), name });
  const sliceOf = (name: string) => world.milan.client.get(ResourceSlice, keyOf(name));
  const quotaOf = (name: string) => world.milan.client.get(Quota, keyOf(`${name}-a8a4c692b93b`));

  /** As the replication of the consumer writes it. */
  function create(name: string, spec: Spec = {}, applicant = rome) {
    const { clusterID } = applicant;
    const marks = {
      [labels.replication]: 'false',
      [labels.replicated]: 'true',
      [labels.replicationOrigin]: clusterID,
      [labels.remoteClusterID]: clusterID,
      [labels.replicationDestination]: 'milan',
    };
    return world.milan.client.create(ResourceSlice, {
      metadata: { ...keyOf(name, clusterID), labels: marks },
      spec: {
        class: 'default',
        consumerClusterID: clusterID,
        providerClusterID: 'milan',
        csr: applicant.csr(sliceSubject(name, clusterID)),
        ...spec,
      },
    });
  }

  function change(name: string, patch: object) {
    return world.milan.client.patch(ResourceSlice, keyOf(name), mergePatch(patch as never));
  }

  function conditions(name: string, expected: readonly object[]) {
    return eventually(async () => {
      expect((await sliceOf(name))?.status?.conditions).toMatchObject(expected);
    }, patient);
  }

  const authenticated = { type: 'Authentication', status: 'Accepted' };
  const granted = { type: 'Resources', status: 'Accepted' };

  function quotaIs(name: string, spec: object) {
    return eventually(async () => expect((await quotaOf(name))?.spec).toEqual(spec), patient);
  }

  test('gets credentials, what it asks for, and a Quota, as from Liqo v1.2.0', async () => {
    await create('mypool', { resources: { cpu: '2', memory: '4Gi', pods: '10' } });
    await conditions('mypool', [
      {
        ...authenticated,
        reason: 'ResourceSliceAuthenticationAccepted',
        message: 'ResourceSlice authentication accepted',
      },
      {
        ...granted,
        reason: 'ResourceSliceResourcesAccepted',
        message: 'ResourceSlice resources accepted',
      },
    ]);
    const slice = await sliceOf('mypool');
    expect(slice?.status).toMatchObject({
      resources: { cpu: '2', 'ephemeral-storage': '20Gi', memory: '4Gi', pods: '10' },
      storageClasses: [{ storageClassName: 'liqo' }],
      nodeLabels: { region: 'south' },
      authParams: { apiServer: 'https://milan.example:6443' },
    });
    const signed = slice?.status?.authParams?.signedCRT ?? '';
    const { subject, publicKey } = new X509Certificate(Buffer.from(signed, 'base64'));
    expect(subject.split('\n').toSorted()).toEqual(['CN=mypool-a8a4c692b93b', 'O=rome']);
    expect(publicKey.equals(createPublicKey(rome.key))).toBe(true);
    await quotaIs('mypool', {
      user: 'mypool-a8a4c692b93b',
      limitsEnforcement: 'None',
      resources: { cpu: '2', 'ephemeral-storage': '20Gi', memory: '4Gi', pods: '10' },
    });
    const secret = await world.milan.client.get(Secret, keyOf('liqo-remote-certificate-mypool'));
    expect(secret?.data?.certificate).toBe(signed);
  });

  test('is decided again when it is edited: keys that are gone are granted no more', async () => {
    await create('edited', { resources: { cpu: '2', 'nvidia.com/gpu': '1' } });
    await conditions('edited', [authenticated, granted]);
    await change('edited', { spec: { resources: { cpu: '3', 'nvidia.com/gpu': null } } });
    await quotaIs('edited', {
      user: 'edited-a8a4c692b93b',
      limitsEnforcement: 'None',
      resources: { ...resources, cpu: '3' },
    });
    expect((await sliceOf('edited'))?.status?.resources).toEqual({ ...resources, cpu: '3' });
  });

  test.each([
    ['for another user', () => rome.csr(sliceSubject('other', 'rome')), 'the subject is'],
    [
      'with another key',
      () => new Applicant('rome').csr(sliceSubject('refused', 'rome')),
      'is not that of the Tenant',
    ],
    ['that cannot be read', () => Buffer.from('no').toString('base64'), 'cannot be read'],
  ])('is denied with a request %s, and accepted with a good one', async (_, csr, fact) => {
    await create('refused', { csr: csr() });
    await conditions('refused', [
      {
        type: 'Authentication',
        status: 'Denied',
        reason: 'ResourceSliceAuthenticationDenied',
        message: expect.stringContaining(fact),
      },
    ]);
    expect((await sliceOf('refused'))?.status?.authParams).toBeUndefined();
    expect(await quotaOf('refused')).toBeUndefined();
    await eventually(async () => {
      const { items } = await world.milan.client.list(Event, { namespace: namespaceOf('rome') });
      const reasons = items.filter(({ regarding }) => regarding?.name === 'refused');
      expect(reasons.map(({ reason }) => reason)).toContain('InvalidCSR');
    }, patient);
    await change('refused', { spec: { csr: rome.csr(sliceSubject('refused', 'rome')) } });
    await conditions('refused', [authenticated, granted]);
    await world.milan.client.delete(ResourceSlice, keyOf('refused'));
  });

  test.each([
    ['negative', '-1'],
    ['malformed', '4Gb'],
    ['empty', ''],
  ])(
    'that asks for a %s amount is refused at once, with the path of the field',
    async (name, cpu) => {
      const refusal = await rejection(create(name, { resources: { cpu } }));
      expect(isInvalid(refusal)).toBe(true);
      expect(String(refusal)).toContain('spec.resources.cpu');
      expect(await sliceOf(name)).toBeUndefined();
    },
  );

  test('that is denied later keeps its Quota, cordoned', async () => {
    await create('spoilt', { resources: { cpu: '2' } });
    const spec = {
      user: 'spoilt-a8a4c692b93b',
      limitsEnforcement: 'None',
      resources: { ...resources, cpu: '2' },
    };
    await quotaIs('spoilt', spec);
    await change('spoilt', {
      spec: { csr: new Applicant('rome').csr(sliceSubject('spoilt', 'rome')) },
    });
    await quotaIs('spoilt', { ...spec, cordoned: true });
    await world.milan.client.delete(ResourceSlice, keyOf('spoilt'));
  });

  test('of another class gets credentials, and the Quota of what another controller grants', async () => {
    await create('custom', { class: 'fair-share', resources: { cpu: '2' } });
    await conditions('custom', [authenticated]);
    const { conditions: known = [] } = (await sliceOf('custom'))?.status ?? {};
    const decision = { type: 'Resources', status: 'Accepted', reason: 'Shared', message: 'half' };
    const status = { resources: { cpu: '1' }, conditions: [...known, decision] };
    await world.milan.client.patch(ResourceSlice, keyOf('custom'), mergePatch({ status }), {
      subresource: 'status',
    });
    await quotaIs('custom', {
      user: 'custom-a8a4c692b93b',
      limitsEnforcement: 'None',
      resources: { cpu: '1' },
    });
    expect((await sliceOf('custom'))?.status?.conditions).toMatchObject([authenticated, decision]);
  });

  test('is cordoned by the annotation, and uncordoned', async () => {
    const cordon = (value: string | null) =>
      change('mypool', { metadata: { annotations: { [annotations.cordon]: value } } });
    await cordon('true');
    await eventually(
      async () => expect((await quotaOf('mypool'))?.spec.cordoned).toBe(true),
      patient,
    );
    await cordon(null);
    await eventually(async () => {
      expect((await quotaOf('mypool'))?.spec.cordoned).toBeUndefined();
    }, patient);
  });

  test('of a cordoned Tenant keeps what it has, and a new one is denied until the Tenant is active', async () => {
    const turn = (tenantCondition: string) =>
      world.milan.client.patch(Tenant, keyOf('rome'), mergePatch({ spec: { tenantCondition } }));
    await turn('Cordoned');
    await eventually(
      async () => expect((await quotaOf('mypool'))?.spec.cordoned).toBe(true),
      patient,
    );
    await create('late');
    await conditions('late', [
      authenticated,
      { type: 'Resources', status: 'Denied', reason: 'ResourceSliceResourcesDenied' },
    ]);
    expect(await quotaOf('late')).toBeUndefined();
    await conditions('mypool', [authenticated, granted]);
    await turn('Active');
    await conditions('late', [authenticated, granted]);
    await eventually(async () => {
      expect((await quotaOf('late'))?.spec.cordoned).toBeUndefined();
      expect((await quotaOf('mypool'))?.spec.cordoned).toBeUndefined();
    }, patient);
  });

  test('is denied in the namespace of another consumer', async () => {
    await world.admit('oslo');
    const marks = { [labels.replicated]: 'true', [labels.replicationOrigin]: 'rome' };
    await world.milan.client.create(ResourceSlice, {
      metadata: { ...keyOf('stray', 'oslo'), labels: marks },
      spec: { csr: rome.csr(sliceSubject('stray', 'rome')) },
    });
    await eventually(async () => {
      const stray = await world.milan.client.get(ResourceSlice, keyOf('stray', 'oslo'));
      expect(stray?.status?.conditions).toMatchObject([{ status: 'Denied' }]);
    }, patient);
  });

  test('is written about no more when the controllers start anew', async () => {
    await controller[Symbol.asyncDispose]();
    world.milan.calls.calls.length = 0;
    controller = start();
    await create('marker');
    await conditions('marker', [authenticated, granted]);
    const writes = world.milan.calls.callsOf(controllersUser).filter(isWrite);
    const others = writes.filter(({ path, body }) => !`${path}${body}`.includes('marker'));
    expect(others.filter(({ resource }) => !resource.startsWith('certificate'))).toEqual([]);
  });

  test('takes its Quota and its certificate along', async () => {
    expect(await quotaOf('edited')).toBeDefined();
    await world.milan.client.delete(ResourceSlice, keyOf('edited'));
    await eventually(async () => {
      expect(await quotaOf('edited')).toBeUndefined();
      const certificate = keyOf('liqo-remote-certificate-edited');
      expect(await world.milan.client.get(Secret, certificate)).toBeUndefined();
    }, patient);
  });

  test('beyond the limit is denied, and accepted when another one goes', async () => {
    const { items } = await world.milan.client.list(ResourceSlice, {
      namespace: namespaceOf('rome'),
    });
    const free = 9 - items.length;
    for (let index = 0; index <= free; index++) await create(`slice-${index}`);
    await conditions(`slice-${free}`, [
      {
        status: 'Denied',
        message:
          'ResourceSlice authentication denied: the provider accepts at most 9 slices of a consumer',
      },
    ]);
    await world.milan.client.delete(ResourceSlice, keyOf('mypool'));
    await conditions(`slice-${free}`, [authenticated, granted]);
  });
});
