import 'reflect-metadata';
import { createPublicKey, generateKeyPairSync, verify, webcrypto } from 'node:crypto';
import { labels, Tenant } from '@liqo/api';
import { CertificateSigningRequest, Namespace, Secret, type Stored } from '@liqo/kube';
import {
  controlPlaneSubject,
  forgeNonceSecret,
  forgeTenantNamespace,
  ownerReference,
} from '@liqo/model';
import {
  BasicConstraintsExtension,
  ChallengePasswordAttribute,
  type JsonName,
  Pkcs10CertificateRequest,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { tenantNamespaces } from '../selections.ts';
import { Applicant } from '../testing/applicant.ts';
import { grantTenantAccess } from '../testing/installation.ts';
import { startQuietWorld } from '../testing/quiet-world.ts';
import { verifyHandshake } from './handshake.ts';
import { issueCertificate } from './issue-certificate.ts';
import { issueNonce } from './issue-nonce.ts';

const namespace = 'liqo-tenant-rome';
const subject = controlPlaneSubject('rome');
const rome = new Applicant('rome');
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const rsaKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const thieves = [
  new Applicant('rome'),
  new Applicant('rome', ecKey),
  new Applicant('rome', rsaKey),
];

const base64 = (content: string | Buffer) => Buffer.from(content).toString('base64');
const fromBase64 = (text = '') => Buffer.from(text, 'base64');

/** Signed with their own keys, and asking for something else or more. */
async function forgeOdd(name: JsonName, more: object = {}): Promise<string> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const pkcs8 = ecKey.export({ format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(ecKey.export({ format: 'pem', type: 'pkcs8' }));
  const publicDer = spki.export({ format: 'der', type: 'spki' });
  const keys = {
    privateKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, true, ['sign']),
    publicKey: await webcrypto.subtle.importKey('spki', publicDer, algorithm, true, ['verify']),
  };
  const generated = await Pkcs10CertificateRequestGenerator.create({
    name,
    keys,
    signingAlgorithm: algorithm,
    ...more,
  });
  return base64(`${generated.toString('pem')}\n`);
}

const good: JsonName = [{ O: ['liqo.io'] }, { CN: ['rome'] }];
/** Two of them have names in other string types: BMPString and TeletexString. */
const odd = await Promise.all([
  forgeOdd(good),
  forgeOdd([{ O: ['liqo.io'] }, { O: ['oslo'] }, { CN: ['rome'] }]),
  forgeOdd([{ O: ['liqo.io', 'oslo'] }, { CN: ['rome'] }]),
  forgeOdd([{ O: ['system:masters'] }, { CN: ['rome'] }]),
  forgeOdd([{ CN: ['rome'] }]),
  forgeOdd([{ O: ['liqo.io'] }]),
  forgeOdd([{ O: ['liqo.io'] }, { CN: ['oslo'] }]),
  forgeOdd([{ O: ['liqo.io'] }, { CN: ['rome'] }, { OU: ['x'] }]),
  forgeOdd([{ O: ['#1e0e006c00690071006f002e0069006f'] }, { CN: ['rome'] }]),
  forgeOdd([{ O: ['liqo.io'] }, { CN: ['#1404726f6d65'] }]),
  forgeOdd(good, {
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'a' }])],
  }),
  forgeOdd(good, { extensions: [new BasicConstraintsExtension(true)] }),
  forgeOdd(good, { attributes: [new ChallengePasswordAttribute('x')] }),
]);

/** What other libraries make of a Tenant: exactly the subject, nothing else, its own signature, the key, and the nonce. */
async function deserves({ publicKey, csr, signature }: Tenant['spec'], nonce: string) {
  const pem = fromBase64(csr).toString();
  const request = new Pkcs10CertificateRequest(pem);
  const names = request.subjectName.toJSON();
  const isPlain = request.extensions.length === 0 && request.attributes.length === 0;
  const isRome =
    names.length === 2 &&
    JSON.stringify(names.toSorted((one) => ('O' in one ? -1 : 1))) === JSON.stringify(good);
  const shown = createPublicKey(fromBase64(publicKey));
  const info = shown.export({ format: 'der', type: 'spki' });
  const hash = shown.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return (
    isPlain &&
    isRome &&
    (await request.verify()) &&
    Buffer.compare(Buffer.from(request.publicKey.rawData), info) === 0 &&
    verify(hash, Buffer.from(nonce), shown, fromBase64(signature))
  );
}

interface Edit {
  readonly field: 'csr' | 'publicKey' | 'signature';
  readonly at: number;
  readonly byte: number;
  readonly how: 'insert' | 'remove' | 'replace';
  /** In the bytes of the PEM block, rather than in its text. */
  readonly isInside: boolean;
}

const edits = fc.record<Edit>({
  field: fc.constantFrom('csr', 'publicKey', 'signature'),
  at: fc.nat(700),
  byte: fc.integer({ min: 0, max: 255 }),
  how: fc.constantFrom('insert', 'remove', 'replace'),
  isInside: fc.boolean(),
});

function editBytes(bytes: Buffer, { at, byte, how }: Edit): Buffer {
  const list = [...bytes];
  const index = list.length === 0 ? 0 : at % list.length;
  list.splice(index, how === 'insert' ? 0 : 1, ...(how === 'remove' ? [] : [byte]));
  return Buffer.from(list);
}

function applyEdit(spec: Tenant['spec'], edit: Edit): Tenant['spec'] {
  const bytes = fromBase64(spec[edit.field]);
  const [, begin = '', body = '', end = ''] =
    /^(-----BEGIN [A-Z ]+-----\n)([^-]*)(-----END [A-Z ]+-----\n)$/.exec(
      bytes.toString('latin1'),
    ) ?? [];
  const edited =
    edit.isInside && begin !== ''
      ? Buffer.from(`${begin}${base64(editBytes(fromBase64(body), edit))}\n${end}`)
      : editBytes(bytes, edit);
  return { ...spec, [edit.field]: edited.toString('base64') };
}

async function startWorld() {
  const world = await startQuietWorld([]);
  onTestFinished(() => world[Symbol.asyncDispose]());
  const { admin, client, clock, recorder: events, run, cacheOf } = world;
  const space = await admin.create(Namespace, forgeTenantNamespace('rome'));
  await grantTenantAccess(admin, namespace);
  const secret = await admin.create(Secret, forgeNonceSecret('rome', namespace));
  const randomBytes = (size: number) => new Uint8Array(size).fill(7);
  await issueNonce({ client, clock, randomBytes }, { namespace: space, secret }, run.signal);
  const context = {
    client,
    clock,
    events,
    randomBytes,
    namespaces: await cacheOf(Namespace, { selection: tenantNamespaces }),
    nonces: await cacheOf(Secret, { selection: { labelSelector: labels.nonce } }),
    requests: await cacheOf(CertificateSigningRequest),
  };
  return {
    nonce: Buffer.alloc(64, 7).toString('base64'),
    /** Whether a certificate is asked for. */
    async isLetIn(spec: Tenant['spec']): Promise<boolean> {
      const metadata = {
        name: 'rome',
        namespace,
        uid: '1',
        resourceVersion: '1',
        creationTimestamp: '2026-11-18T20:00:00Z',
      };
      const apiVersion = 'authentication.liqo.io/v1beta1';
      const tenant: Stored<Tenant> = { apiVersion, kind: 'Tenant', metadata, spec };
      const verdict = await verifyHandshake(context, tenant, run.signal);
      if (verdict.type !== 'accept') return false;
      const identity = {
        subject,
        consumerClusterID: 'rome',
        csr: spec.csr ?? '',
        publicKey: spec.publicKey,
        secret: { namespace, name: 'liqo-remote-certificate' },
        owner: ownerReference(Tenant, metadata),
      };
      const { type } = await issueCertificate(context, identity, run);
      return type !== 'refused';
    },
    requested: async () => (await admin.list(CertificateSigningRequest)).items,
  };
}

test('no Tenant that was tampered with gets a certificate, and none makes the controllers fail', async () => {
  const { nonce, isLetIn, requested } = await startWorld();
  const specOf = (applicant: Applicant) => applicant.tenant(nonce).spec;
  const honest = [rome, ...thieves].map(specOf);
  for (const spec of honest) expect(await isLetIn(spec)).toBe(true);
  const stolen = thieves.map((thief) => ({ ...specOf(rome), publicKey: thief.publicKey }));
  const other = thieves.map((thief) => ({ ...specOf(thief), csr: rome.csr() }));
  const strange = odd.map((csr) => ({ ...specOf(new Applicant('rome', ecKey)), csr }));
  const stale = [rome.tenant('').spec, rome.tenant(`${nonce}=`).spec, rome.tenant('once').spec];
  const all = [...honest, ...stolen, ...other, ...strange, ...stale];
  const before = (await requested()).length;
  let letIn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      fc.array(edits, { maxLength: 3 }),
      async (base, list) => {
        const spec = list.reduce(applyEdit, base);
        if (!(await isLetIn(spec))) return;
        letIn += 1;
        expect(await deserves(spec, nonce)).toBe(true);
      },
    ),
    { numRuns: 2_000, seed: 22 },
  );
  expect(letIn).toBeGreaterThan(50);
  expect((await requested()).length).toBe(before + letIn);
});
