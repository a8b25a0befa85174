import { labels, NamespaceMap, Renew, ResourceSlice, Tenant } from '@liqo/api';
import {
  CertificateSigningRequest,
  ClusterRoleBinding,
  type Kind,
  mergePatch,
  Namespace,
  RoleBinding,
  Secret,
} from '@liqo/kube';
import { eventually, rejection } from '@liqo/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Applicant } from '../testing/applicant.ts';
import { namespaceOf, ProviderWorld, patient } from '../testing/provider-world.ts';

let world: ProviderWorld;

beforeAll(async () => {
  world = await ProviderWorld.start();
});

afterAll(() => world[Symbol.asyncDispose]());

const copyMarks = (consumer: string) => ({
  [labels.replication]: 'false',
  [labels.replicated]: 'true',
  [labels.replicationOrigin]: consumer,
  [labels.remoteClusterID]: consumer,
});
const about = (consumer: string, name = 'milan') => ({
  name,
  namespace: namespaceOf(consumer),
  labels: copyMarks(consumer),
});
const rightsOf = async (consumer: string) => [
  await world.milan.client.get(RoleBinding, {
    namespace: namespaceOf(consumer),
    name: 'liqo-binding-liqo-remote-controlplane',
  }),
  await world.milan.client.get(ClusterRoleBinding, {
    name: `liqo-binding-liqo-virtual-kubelet-remote-clusterwide-${consumer}`,
  }),
];
const change = (consumer: string, spec: Partial<Tenant['spec']>) =>
  world.milan.client.patch(
    Tenant,
    { namespace: namespaceOf(consumer), name: consumer },
    mergePatch({ spec: { ...spec } }),
  );

describe('a Tenant with a signed nonce', () => {
  test('gets credentials, rights, and nothing else', async () => {
    const applicant = await world.admit('rome');
    const { client } = world.milan;
    const tenant = await world.tenant('rome');
    expect(tenant?.metadata.finalizers).toEqual(['tenant.liqo.io/finalizer']);
    expect(tenant?.status).toMatchObject({
      tenantNamespace: 'liqo-tenant-rome',
      authParams: { apiServer: 'https://milan.example:6443' },
      conditions: [{ type: 'Authentication', status: 'Accepted' }],
    });
    const key = { namespace: 'liqo-tenant-rome', name: 'liqo-remote-certificate' };
    expect(await client.get(Secret, key)).toMatchObject({
      type: 'Opaque',
      metadata: { labels: { 'liqo.io/managed': 'true', 'liqo.io/remote-cluster-id': 'rome' } },
      data: { csr: applicant.csr(), certificate: tenant?.status?.authParams?.signedCRT },
    });
    const uid = tenant?.metadata.uid;
    expect(await rightsOf('rome')).toMatchObject([
      {
        metadata: { ownerReferences: [{ kind: 'Tenant', uid }] },
        roleRef: { name: 'liqo-remote-controlplane' },
        subjects: [{ kind: 'User', name: 'rome' }],
      },
      {
        roleRef: { name: 'liqo-virtual-kubelet-remote-clusterwide' },
        subjects: [{ kind: 'Group', name: 'rome' }],
      },
    ]);
    await eventually(async () => {
      expect((await client.list(CertificateSigningRequest)).items).toEqual([]);
    });
  });

  test('gives its consumer its own tenant namespace, and no other one', async () => {
    await using naples = await world.connect(await world.admit('naples'));
    const victim = await world.admit('oslo');
    const { namespace } = await world.milan.client
      .create(ResourceSlice, {
        metadata: about('oslo'),
        spec: {},
      })
      .then(({ metadata }) => metadata);
    const slice = await naples.create(ResourceSlice, { metadata: about('naples'), spec: {} });
    expect(slice.metadata.namespace).toBe('liqo-tenant-naples');
    const status = mergePatch({ status: { resources: { cpu: '1000' } } });
    const own = { namespace: 'liqo-tenant-naples', name: 'milan' };
    const theirs = { namespace, name: 'milan' };
    const requests: readonly Kind[] = [ResourceSlice, NamespaceMap, Renew] as const;
    const attempts = [
      naples.patch(ResourceSlice, own, status, { subresource: 'status' }),
      naples.list(Secret, { namespace: own.namespace }),
      naples.get(Tenant, { namespace: own.namespace, name: 'naples' }),
      naples.list(ResourceSlice),
      ...requests.flatMap((kind) => [
        naples.get(kind, theirs),
        naples.list(kind, { namespace }),
        naples.create(kind, { metadata: about('oslo', 'other') }),
        naples.patch(kind, theirs, mergePatch({ spec: {} })),
        naples.delete(kind, theirs, { preconditions: { uid: 'unknown' } }),
      ]),
      naples.list(Secret, { namespace }),
      naples.get(Tenant, { namespace, name: victim.clusterID }),
    ];
    const answers = await Promise.all(attempts.map((attempt) => rejection(attempt)));
    for (const answer of answers) expect(answer).toMatchObject({ code: 403 });
  });

  test('spends the nonce: the same Tenant gets nothing once it was deleted', async () => {
    const nonce = await world.prepare('turin');
    const applicant = new Applicant('turin');
    await world.milan.client.create(Tenant, applicant.tenant(nonce));
    await eventually(async () => expect(await world.nonce('turin')).not.toBe(nonce), patient);
    await world.milan.client.delete(Tenant, { namespace: 'liqo-tenant-turin', name: 'turin' });
    await eventually(async () => expect(await world.tenant('turin')).toBeUndefined(), patient);
    await world.milan.client.create(Tenant, applicant.tenant(nonce));
    await eventually(async () => {
      expect(await world.reason('turin')).toBe('SignatureVerificationFailed');
    }, patient);
    expect((await world.tenant('turin'))?.status?.authParams).toBeUndefined();
    expect(await rightsOf('turin')).toEqual([undefined, undefined]);
    await change('turin', { signature: applicant.sign(await world.nonce('turin')) });
    await eventually(async () => expect(await world.reason('turin')).toBe('Reconciled'), patient);
  });

  test('with another key needs another signature, and keeps what it has without', async () => {
    await world.admit('bari');
    const before = (await world.tenant('bari'))?.status?.authParams;
    const other = new Applicant('bari');
    await change('bari', { publicKey: other.publicKey, csr: other.csr() });
    await eventually(async () => {
      expect(await world.reason('bari')).toBe('SignatureVerificationFailed');
    }, patient);
    expect((await world.tenant('bari'))?.status?.authParams).toEqual(before);
    await change('bari', { signature: other.sign(await world.nonce('bari')) });
    await eventually(async () => expect(await world.reason('bari')).toBe('Reconciled'), patient);
    await using client = await world.connect(other);
    await client.list(ResourceSlice, { namespace: 'liqo-tenant-bari' });
  });
});

describe('the state of a Tenant', () => {
  test('cordons its slices, and the consumer cannot remove the mark', async () => {
    await using genoa = await world.connect(await world.admit('genoa'));
    await genoa.create(ResourceSlice, { metadata: about('genoa'), spec: {} });
    const key = { namespace: 'liqo-tenant-genoa', name: 'milan' };
    const mark = async () =>
      (await genoa.get(ResourceSlice, key))?.metadata.annotations?.['liqo.io/cordon-tenant'];
    await change('genoa', { tenantCondition: 'Cordoned' });
    await eventually(async () => expect(await mark()).toBe('true'), patient);
    const removal = { metadata: { annotations: { 'liqo.io/cordon-tenant': null } } };
    const removing = genoa.patch(ResourceSlice, key, mergePatch(removal));
    expect(await rejection(removing)).toMatchObject({ code: 403 });
    expect(await mark()).toBe('true');
    await change('genoa', { tenantCondition: 'Active' });
    await eventually(async () => expect(await mark()).toBeUndefined(), patient);
  });

  test('drains its consumer, and lets it in again', async () => {
    await using como = await world.connect(await world.admit('como'));
    const namespace = 'liqo-tenant-como';
    await como.create(ResourceSlice, { metadata: about('como'), spec: {} });
    await como.create(NamespaceMap, { metadata: about('como'), spec: { desiredMapping: {} } });
    await como.create(Renew, { metadata: about('como'), spec: { consumerClusterID: 'como' } });
    await change('como', { tenantCondition: 'Drained' });
    await eventually(async () => {
      expect(await rightsOf('como')).toEqual([undefined, undefined]);
      expect((await world.milan.client.list(ResourceSlice, { namespace })).items).toEqual([]);
      expect((await world.milan.client.list(NamespaceMap, { namespace })).items).toEqual([]);
    }, patient);
    expect(await rejection(como.list(ResourceSlice, { namespace }))).toMatchObject({ code: 403 });
    await change('como', { tenantCondition: 'Active' });
    await eventually(() => como.list(ResourceSlice, { namespace }), patient);
  });

  test('without a handshake issues nothing, and grants what binds no credentials', async () => {
    const nonce = await world.prepare('pisa');
    const applicant = new Applicant('pisa');
    const spec = { authzPolicy: 'TolerateNoHandshake' } as const;
    await world.milan.client.create(Tenant, applicant.tenant(nonce, spec));
    await eventually(async () => {
      expect(await world.reason('pisa')).toBe('HandshakeNotRequired');
    }, patient);
    expect((await world.tenant('pisa'))?.status).toMatchObject({
      tenantNamespace: 'liqo-tenant-pisa',
    });
    expect((await world.tenant('pisa'))?.status?.authParams).toBeUndefined();
    const [binding, everywhere] = await rightsOf('pisa');
    expect([binding, everywhere?.metadata.name]).toEqual([
      undefined,
      'liqo-binding-liqo-virtual-kubelet-remote-clusterwide-pisa',
    ]);
  });
});

describe('a Tenant that is deleted', () => {
  test('leaves nothing but its namespace and a nonce', async () => {
    await using siena = await world.connect(await world.admit('siena'));
    const namespace = 'liqo-tenant-siena';
    await siena.create(ResourceSlice, { metadata: about('siena'), spec: {} });
    await siena.create(Renew, { metadata: about('siena'), spec: { consumerClusterID: 'siena' } });
    await world.milan.client.delete(Tenant, { namespace, name: 'siena' });
    await eventually(async () => {
      expect(await world.tenant('siena')).toBeUndefined();
      expect(await rightsOf('siena')).toEqual([undefined, undefined]);
      const { items } = await world.milan.client.list(Secret, { namespace });
      expect(items.map(({ metadata }) => metadata.name)).toEqual(['liqo-nonce']);
      for (const kind of [ResourceSlice, Renew]) {
        expect((await world.milan.client.list(kind, { namespace })).items).toEqual([]);
      }
    }, patient);
  });

  test('goes with its namespace', async () => {
    await world.admit('lecce');
    await world.milan.client.delete(Namespace, { name: 'liqo-tenant-lecce' });
    await eventually(async () => {
      expect(
        await world.milan.client.get(Namespace, { name: 'liqo-tenant-lecce' }),
      ).toBeUndefined();
      expect(await rightsOf('lecce')).toEqual([undefined, undefined]);
    }, patient);
  });

  test('by force leaves no rights either', async () => {
    await world.admit('udine');
    const key = { namespace: 'liqo-tenant-udine', name: 'udine' };
    await world.milan.client.delete(Tenant, key).catch(() => undefined);
    const found = await world.tenant('udine');
    if (found)
      await world.milan.client.patch(Tenant, key, mergePatch({ metadata: { finalizers: null } }));
    await eventually(
      async () => expect(await rightsOf('udine')).toEqual([undefined, undefined]),
      patient,
    );
  });
});

describe('a Renew', () => {
  test('is answered with the credentials of the control plane of its consumer', async () => {
    await using lodi = await world.connect(await world.admit('lodi'));
    const metadata = about('lodi', 'controlplane-milan');
    const spec = { consumerClusterID: 'lodi', identityType: 'ControlPlane' } as const;
    await lodi.create(Renew, { metadata, spec });
    await eventually(async () => {
      const renew = await lodi.get(Renew, { namespace: metadata.namespace, name: metadata.name });
      const authParams = (await world.tenant('lodi'))?.status?.authParams;
      expect(renew?.status?.authParams).toEqual(authParams);
    }, patient);
  });
});
