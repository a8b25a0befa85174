import { generateKeyPairSync } from 'node:crypto';
import { annotations, NamespaceMap, ResourceSlice, Tenant } from '@liqo/api';
import {
  CertificateSigningRequest,
  type ClusterRoleBinding,
  isInvalid,
  mergePatch,
  Namespace,
  type RoleBinding,
  Secret,
  type Stored,
} from '@liqo/kube';
import {
  controlPlaneSubject,
  forgeNonceSecret,
  forgeTenantNamespace,
  printNonceRecord,
  recordNonce,
  sliceSubject,
} from '@liqo/model';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Applicant } from '../testing/applicant.ts';
import { grantTenantAccess } from '../testing/installation.ts';
import { listed } from '../testing/listed.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { TenantReconciler } from './reconcile-tenant.ts';

/** With TAMPERED_TENANTS=2000 as many as that. */
const runs = Number(process.env.TAMPERED_TENANTS ?? 200);
const consumers = ['rome', 'oslo'] as const;
const day = 24 * 60 * 60_000;

/** The nonce that is valid in the namespace of each consumer, and one that was used there before. */
const current = { rome: text(1), oslo: text(2) };
const used = { rome: text(3), oslo: text(4) };
const nonces = [current.rome, current.oslo, used.rome, used.oslo, '', text(5)] as const;

function text(byte: number): string {
  return Buffer.alloc(64, byte).toString('base64');
}

const keys = {
  rome: new Applicant('rome').key,
  oslo: new Applicant('oslo').key,
  weak: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
};
const keyNames = ['rome', 'oslo', 'weak'] as const;

const subjects = [
  controlPlaneSubject('rome'),
  controlPlaneSubject('oslo'),
  sliceSubject('mypool', 'rome'),
  { commonName: 'rome', organization: 'system:masters' },
];
/** Signing takes longer than all the rest of a run. */
const requests = subjects.map((subject) =>
  Object.fromEntries(keyNames.map((name) => [name, new Applicant('any', keys[name]).csr(subject)])),
);

/** What a consumer, a peering user and time may have done; each choice of 0 is the honest one. */
interface Story {
  readonly consumer: 'rome' | 'oslo';
  readonly clusterID: string;
  readonly namespaceOf: string;
  readonly key: (typeof keyNames)[number];
  readonly csrKey: (typeof keyNames)[number];
  readonly subject: number;
  readonly nonceSignedBy: (typeof keyNames)[number];
  readonly signed: string;
  /** What the Secret has, and what the namespace records. */
  readonly nonce: string;
  readonly recorded: string;
  readonly isRecordGarbled: boolean;
  readonly ageMs: number;
  readonly policy: 'KeysExchange' | 'TolerateNoHandshake';
  readonly condition: 'Active' | 'Cordoned' | 'Drained';
  readonly proxyURL: string;
}

/** Mostly the honest choice: else nothing would ever be issued. */
function mostly<T>(honest: T, others: readonly T[]): fc.Arbitrary<T> {
  const odd = others.map((value) => ({ arbitrary: fc.constant(value), weight: 1 }));
  return fc.oneof({ arbitrary: fc.constant(honest), weight: 12 * others.length }, ...odd);
}

function storyOf(consumer: 'rome' | 'oslo'): fc.Arbitrary<Story> {
  const honestKey = consumer;
  return fc.record<Story>({
    consumer: fc.constant(consumer),
    clusterID: mostly<string>(consumer, [...consumers, 'milan', 'turin']),
    namespaceOf: mostly<string>(consumer, [...consumers, 'turin']),
    key: mostly(honestKey, keyNames),
    csrKey: mostly(honestKey, keyNames),
    subject: mostly(consumers.indexOf(consumer), [0, 1, 2, 3]),
    nonceSignedBy: mostly(honestKey, keyNames),
    signed: mostly<string>(current[consumer], nonces),
    nonce: mostly<string>(current[consumer], nonces),
    recorded: mostly<string>(current[consumer], nonces),
    isRecordGarbled: mostly(false, [true]),
    ageMs: mostly(0, [day - 1_000, day, 2 * day, -day]),
    policy: mostly<Story['policy']>('KeysExchange', ['TolerateNoHandshake']),
    condition: mostly<Story['condition']>('Active', ['Cordoned', 'Drained']),
    proxyURL: mostly('', ['http://10.0.0.9:8118', 'file:///etc/passwd', 'http://a:b@c:1', 'x']),
  });
}

/** Judged by the rules of the handshake alone, without a line of the product. */
function deserves(story: Story): boolean {
  const { clusterID, namespaceOf, key, csrKey, subject, signed, nonce, recorded } = story;
  return (
    consumers.some((one) => one === clusterID) &&
    namespaceOf === clusterID &&
    key !== 'weak' &&
    csrKey === key &&
    subject === (consumers as readonly string[]).indexOf(clusterID) &&
    story.nonceSignedBy === key &&
    nonce !== '' &&
    signed === nonce &&
    recorded === nonce &&
    !story.isRecordGarbled &&
    story.ageMs < day &&
    story.policy === 'KeysExchange' &&
    story.condition !== 'Drained' &&
    (story.proxyURL === '' || story.proxyURL === 'http://10.0.0.9:8118')
  );
}

async function startWorld() {
  const world = await startQuietWorld(['turin'], [Tenant, ResourceSlice, NamespaceMap]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, recorder: events, run } = world;
  const held = new Map<string, { namespace: Stored<Namespace>; secret: Stored<Secret> }>();
  for (const consumer of consumers) {
    const namespace = await admin.create(Namespace, forgeTenantNamespace(consumer));
    await grantTenantAccess(admin, namespace.metadata.name);
    const forged = forgeNonceSecret(consumer, namespace.metadata.name);
    held.set(consumer, { namespace, secret: await admin.create(Secret, forged) });
  }
  let tenants: readonly Stored<Tenant>[] = [];
  const reconciler = new TenantReconciler({
    client,
    clock,
    events,
    clusterID: 'milan',
    randomBytes: (size) => new Uint8Array(size).fill(9),
    tenants: listed(() => tenants),
    namespaces: listed(() => [...held.values()].map(({ namespace }) => namespace)),
    nonces: listed(() => [...held.values()].map(({ secret }) => secret)),
    slices: listed(() => []),
    requests: listed<CertificateSigningRequest>(() => []),
    bindings: listed<RoleBinding>(() => []),
    everywhereBindings: listed<ClusterRoleBinding>(() => []),
    apiServer: { read: () => ({ type: 'known', apiServer: 'https://milan.example:6443' }) },
  });

  async function prepare({ namespaceOf, nonce, recorded, isRecordGarbled, ageMs }: Story) {
    const holder = held.get(namespaceOf);
    if (!holder) return;
    const record = printNonceRecord(recordNonce(recorded, clock.now() - ageMs));
    const mark = isRecordGarbled ? record.slice(1) : record;
    const marks = mergePatch({ metadata: { annotations: { [annotations.issuedNonce]: mark } } });
    const data = { nonce: Buffer.from(nonce).toString('base64') };
    held.set(namespaceOf, {
      namespace: await admin.patch(Namespace, holder.namespace.metadata, marks),
      secret: await admin.patch(Secret, holder.secret.metadata, mergePatch({ data })),
    });
  }

  function forge(story: Story): Tenant {
    const { clusterID, namespaceOf, key, csrKey, subject, nonceSignedBy, signed } = story;
    const namespace = namespaceOf === 'turin' ? 'turin' : `liqo-tenant-${namespaceOf}`;
    const { spec } = new Applicant(clusterID, keys[key]).tenant('');
    return {
      metadata: { name: clusterID, namespace },
      spec: {
        ...spec,
        csr: requests[subject]?.[csrKey] ?? '',
        signature: new Applicant(clusterID, keys[nonceSignedBy]).sign(signed),
        authzPolicy: story.policy,
        tenantCondition: story.condition,
        ...(story.proxyURL !== '' && { proxyURL: story.proxyURL }),
      },
    };
  }

  return {
    /** The requests for certificates that come of it. */
    async play(story: Story): Promise<readonly Stored<CertificateSigningRequest>[]> {
      await prepare(story);
      const created = await admin.create(Tenant, forge(story)).catch((error: unknown) => {
        if (isInvalid(error)) return undefined;
        throw error;
      });
      if (!created) return [];
      tenants = [created];
      const { name, namespace } = created.metadata;
      await reconciler.reconcile({ name, namespace }, run);
      const { items } = await admin.list(CertificateSigningRequest);
      for (const { metadata } of items) await admin.delete(CertificateSigningRequest, metadata);
      await admin.patch(Tenant, created.metadata, mergePatch({ metadata: { finalizers: null } }));
      await admin.delete(Tenant, created.metadata);
      return items;
    },
  };
}

test('no Tenant, nonce, record or replay that was tampered with gets a certificate, and none makes the controller fail', async () => {
  const { play } = await startWorld();
  const seen = { issued: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.oneof(...consumers.map(storyOf)), async (story) => {
      const requested = await play(story);
      const isDeserved = deserves(story);
      seen[isDeserved ? 'issued' : 'refused'] += 1;
      expect({ story, requested: requested.length }).toEqual({
        story,
        requested: isDeserved ? 1 : 0,
      });
      for (const { spec } of requested) {
        expect(Buffer.from(spec.request, 'base64').toString('base64')).toBe(
          requests[story.subject]?.[story.csrKey],
        );
      }
    }),
    { numRuns: runs, seed: 22 },
  );
  expect(Math.min(seen.issued, seen.refused)).toBeGreaterThan(runs / 10);
}, 900_000);
