import { generateKeyPairSync } from 'node:crypto';
import { labels, ResourceSlice, Tenant } from '@liqo/api';
import {
  CertificateSigningRequest,
  isInvalid,
  mergePatch,
  Namespace,
  type Stored,
} from '@liqo/kube';
import { controlPlaneSubject, forgeTenantNamespace, sliceSubject } from '@liqo/model';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { tenancyOf } from '../tenancy.ts';
import { Applicant } from '../testing/applicant.ts';
import { grantTenantAccess } from '../testing/installation.ts';
import { issueCertificate } from '../testing/issue-certificate.ts';
import { listed } from '../testing/listed.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { SliceReconciler } from './reconcile-slice.ts';

/** With TAMPERED_SLICES=2000 as many as that. */
const runs = Number(process.env.TAMPERED_SLICES ?? 200);
const consumers = ['rome', 'oslo'] as const;
type Consumer = (typeof consumers)[number];

const keys = {
  rome: new Applicant('rome').key,
  oslo: new Applicant('oslo').key,
  weak: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
};
const keyNames = ['rome', 'oslo', 'weak'] as const;
type KeyName = (typeof keyNames)[number];

const subjects = [
  sliceSubject('mypool', 'rome'),
  sliceSubject('mypool', 'oslo'),
  sliceSubject('other', 'rome'),
  controlPlaneSubject('rome'),
  { ...sliceSubject('mypool', 'rome'), organization: 'oslo' },
  { ...sliceSubject('mypool', 'rome'), organization: 'liqo.io' },
  { ...sliceSubject('mypool', 'rome'), organization: 'system:masters' },
];
const requests = subjects.map((subject) =>
  Object.fromEntries(keyNames.map((name) => [name, new Applicant('any', keys[name]).csr(subject)])),
);

/** What a consumer may write into a slice at the provider, and what its Tenant has proved. */
interface Story {
  readonly consumer: Consumer;
  readonly origin: string;
  readonly consumerClusterID: string | undefined;
  readonly providerClusterID: string | undefined;
  readonly namespaceOf: Consumer;
  readonly subject: number;
  readonly csrKey: KeyName;
  /** Of the bytes of the request, the one that is changed. */
  readonly garbledAt: number | undefined;
  /** The key of the Tenant in that namespace, and the one that it has a certificate for. */
  readonly tenantKey: KeyName;
  readonly provedKey: KeyName;
  readonly condition: 'Active' | 'Cordoned' | 'Drained';
}

function mostly<T>(honest: T, others: readonly T[]): fc.Arbitrary<T> {
  const odd = others.map((value) => ({ arbitrary: fc.constant(value), weight: 1 }));
  return fc.oneof({ arbitrary: fc.constant(honest), weight: 10 * others.length }, ...odd);
}

function storyOf(consumer: Consumer): fc.Arbitrary<Story> {
  return fc.record<Story>({
    consumer: fc.constant(consumer),
    origin: mostly<string>(consumer, [...consumers, 'turin', 'milan']),
    consumerClusterID: mostly<string | undefined>(consumer, [...consumers, undefined]),
    providerClusterID: mostly<string | undefined>('milan', ['turin', undefined]),
    namespaceOf: mostly<Consumer>(consumer, consumers),
    subject: mostly(
      consumers.indexOf(consumer),
      subjects.map((_, index) => index),
    ),
    csrKey: mostly<KeyName>(consumer, keyNames),
    garbledAt: fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 10 },
      { arbitrary: fc.nat(300), weight: 2 },
    ),
    tenantKey: mostly<KeyName>(consumer, keyNames),
    provedKey: mostly<KeyName>(consumer, keyNames),
    condition: mostly<Story['condition']>('Active', ['Cordoned', 'Drained']),
  });
}

/** Judged by the rules alone, without a line of the product. A garbled request never deserves anything. */
function deserves(story: Story): boolean {
  const { origin, namespaceOf, csrKey, subject, tenantKey, provedKey } = story;
  const at = (consumers as readonly string[]).indexOf(origin);
  return (
    at >= 0 &&
    namespaceOf === origin &&
    (story.consumerClusterID ?? origin) === origin &&
    (story.providerClusterID ?? 'milan') === 'milan' &&
    subject === at &&
    story.garbledAt === undefined &&
    tenantKey !== 'weak' &&
    provedKey === tenantKey &&
    csrKey === tenantKey &&
    story.condition !== 'Drained'
  );
}

/** The base64 letters of the request, one of them replaced by another one. */
function garble(csr: string, at: number | undefined): string {
  if (at === undefined) return csr;
  const pem = Buffer.from(csr, 'base64').toString();
  const [begin = '', body = '', end = ''] = pem.split(/(?<=REQUEST-----\n)|(?=-----END)/);
  const index = at % body.length;
  const letter = body[index] === 'A' ? 'B' : 'A';
  const garbled = `${begin}${body.slice(0, index)}${letter}${body.slice(index + 1)}${end}`;
  return Buffer.from(garbled).toString('base64');
}

async function startWorld() {
  const world = await startQuietWorld([], [Tenant, ResourceSlice]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, recorder: events, run } = world;
  const namespaces: Stored<Namespace>[] = [];
  const tenants = new Map<Consumer, Stored<Tenant>>();
  const certificates = new Map<string, string>();
  for (const consumer of consumers) {
    const namespace = await admin.create(Namespace, forgeTenantNamespace(consumer));
    await grantTenantAccess(admin, namespace.metadata.name);
    namespaces.push(namespace);
    tenants.set(consumer, await admin.create(Tenant, new Applicant(consumer).tenant('')));
    for (const name of keyNames) {
      const certificate = await issueCertificate({
        key: keys[name],
        name: [{ O: ['liqo.io'] }, { CN: [consumer] }],
        notBeforeMs: clock.now(),
        notAfterMs: clock.now() + 60 * 60_000,
      });
      certificates.set(`${consumer} ${name}`, certificate);
    }
  }
  let slices: readonly Stored<ResourceSlice>[] = [];
  let current: Story | undefined;
  const reconciler = new SliceReconciler({
    client,
    clock,
    events,
    clusterID: 'milan',
    slices: listed(() => slices),
    tenants: listed(() => [...tenants].flatMap(([of, tenant]) => shown(of, tenant))),
    requests: listed<CertificateSigningRequest>(() => []),
    apiServer: { read: () => ({ type: 'known', apiServer: 'https://milan.example:6443' }) },
    whyMisplaced: tenancyOf(listed(() => namespaces)),
    mostSlices: 100,
    readDefaultClass: () => ({ isEnabled: true, resources: {}, nodeLabels: {} }),
  });

  /** The Tenant as the story has it. */
  function shown(of: Consumer, tenant: Stored<Tenant>): readonly Stored<Tenant>[] {
    if (!current) return [];
    const { tenantKey, provedKey, condition } = current;
    const { publicKey } = new Applicant(of, keys[tenantKey]);
    const signedCRT = certificates.get(`${of} ${provedKey}`) ?? '';
    return [
      {
        ...tenant,
        spec: { ...tenant.spec, publicKey, tenantCondition: condition },
        status: { authParams: { apiServer: 'https://milan.example:6443', signedCRT } },
      },
    ];
  }

  return {
    async play(story: Story): Promise<number> {
      current = story;
      const { origin, consumerClusterID, providerClusterID, namespaceOf } = story;
      const csr = garble(requests[story.subject]?.[story.csrKey] ?? '', story.garbledAt);
      const forged: ResourceSlice = {
        metadata: {
          name: 'mypool',
          namespace: `liqo-tenant-${namespaceOf}`,
          labels: { [labels.replicated]: 'true', [labels.replicationOrigin]: origin },
        },
        spec: {
          class: 'default',
          csr,
          ...(consumerClusterID !== undefined && { consumerClusterID }),
          ...(providerClusterID !== undefined && { providerClusterID }),
        },
      };
      const created = await admin.create(ResourceSlice, forged).catch((error: unknown) => {
        if (isInvalid(error)) return undefined;
        throw error;
      });
      if (!created) return 0;
      slices = [created];
      const { name, namespace } = created.metadata;
      await reconciler.reconcile({ name, namespace }, run);
      const { items } = await admin.list(CertificateSigningRequest);
      for (const { metadata } of items) await admin.delete(CertificateSigningRequest, metadata);
      await admin.patch(
        ResourceSlice,
        created.metadata,
        mergePatch({ metadata: { finalizers: null } }),
      );
      await admin.delete(ResourceSlice, created.metadata);
      return items.length;
    },
  };
}

test('no slice that was tampered with gets a certificate, and none makes the controller fail', async () => {
  const { play } = await startWorld();
  const seen = { issued: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(...consumers.map(storyOf)), async (story) => {
      const requested = await play(story);
      const isDeserved = deserves(story);
      seen[isDeserved ? 'issued' : 'refused'] += 1;
      expect({ story, requested }).toEqual({ story, requested: isDeserved ? 1 : 0 });
    }),
    { numRuns: runs, seed: 22 },
  );
  expect(Math.min(seen.issued, seen.refused)).toBeGreaterThan(runs / 10);
}, 900_000);
