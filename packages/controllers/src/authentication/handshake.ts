import type { Tenant } from '@liqo/api';
import { keyOf, Namespace, Secret, type Stored } from '@liqo/kube';
import {
  controlPlaneSubject,
  findNonceSecret,
  type HandshakeFacts,
  type HandshakeVerdict,
  isSubject,
  judgeHandshake,
  planNonce,
  readNonceRecord,
} from '@liqo/model';
import { issueNonce, type NonceHolder, nonceOf } from './issue-nonce.ts';
import type { ShownKey } from './read-identity.ts';
import type { TenantContext } from './tenant-context.ts';

type HandshakeContext = Pick<
  TenantContext,
  'client' | 'clock' | 'events' | 'namespaces' | 'nonces' | 'randomBytes'
>;

/** Whether the consumer has proved that it holds the key of its Tenant. */
export async function verifyHandshake(
  context: HandshakeContext,
  tenant: Stored<Tenant>,
  signal: AbortSignal,
): Promise<HandshakeVerdict> {
  const { isNonceSigned, readShownKey } = await import('./read-identity.ts');
  const { publicKey = '', signature = '' } = tenant.spec;
  const key = readShownKey(publicKey);
  const isAuthenticated = key !== undefined && (await hasCertificate(tenant, key));
  // The caches may still show a nonce that was used a moment ago.
  const holder = isAuthenticated ? undefined : await readNonce(context, tenant, signal);
  return judgeHandshake({
    key,
    isAuthenticated,
    nonce: nonceState(context, holder),
    isNonceSigned:
      key !== undefined &&
      holder !== undefined &&
      isNonceSigned(nonceOf(holder.secret), signature, key),
  });
}

/** Whether the consumer has once proved that it holds the key that its Tenant has now. */
export async function hasProvedKey(tenant: Stored<Tenant>): Promise<boolean> {
  const { readShownKey } = await import('./read-identity.ts');
  const key = readShownKey(tenant.spec.publicKey ?? '');
  return key !== undefined && hasCertificate(tenant, key);
}

/** The status is written by this cluster only: the certificate in it was issued to the holder of its key. */
async function hasCertificate(tenant: Stored<Tenant>, key: ShownKey): Promise<boolean> {
  const { readIssued } = await import('./read-identity.ts');
  const known = readIssued(tenant.status?.authParams?.signedCRT ?? '', key);
  const subject = controlPlaneSubject(tenant.spec.clusterID ?? '');
  return known?.hasExpectedKey === true && isSubject(known.subject, subject);
}

/**
 * Replaces the nonce that a Tenant has signed, so that it serves no other one: to be called when the Tenant has its certificate,
 * and before it goes.
 */
export async function spendNonce(
  context: HandshakeContext,
  tenant: Stored<Tenant>,
  signal: AbortSignal,
): Promise<void> {
  const holder = findNonce(context, tenant);
  if (!holder || nonceState(context, holder) !== 'valid') return;
  // It goes with its namespace, and so may the right to write it.
  if (holder.namespace.metadata.deletionTimestamp !== undefined) return;
  const { isNonceSigned, readShownKey } = await import('./read-identity.ts');
  const { publicKey = '', signature = '' } = tenant.spec;
  const key = readShownKey(publicKey);
  if (!key || !isNonceSigned(nonceOf(holder.secret), signature, key)) return;
  const regarding = await issueNonce(context, holder, signal);
  const note = 'A Tenant has used the nonce: the next one has to sign the new nonce';
  context.events.record({
    regarding,
    type: 'Normal',
    reason: 'NonceUsed',
    action: 'Issuing',
    note,
  });
}

function findNonce(
  { namespaces, nonces }: HandshakeContext,
  { metadata, spec }: Stored<Tenant>,
): NonceHolder | undefined {
  const name = metadata.namespace ?? '';
  const namespace = namespaces.get({ name });
  const secret = findNonceSecret(spec.clusterID ?? '', nonces.list(name));
  return namespace && secret && { namespace, secret };
}

/** As the server has it now. */
async function readNonce(
  context: HandshakeContext,
  tenant: Stored<Tenant>,
  signal: AbortSignal,
): Promise<NonceHolder | undefined> {
  const cached = findNonce(context, tenant);
  if (!cached) return undefined;
  const { client } = context;
  const namespace = await client.get(Namespace, keyOf(cached.namespace), signal);
  const secret = await client.get(Secret, keyOf(cached.secret), signal);
  return namespace && secret && { namespace, secret };
}

function nonceState(
  { clock }: HandshakeContext,
  holder: NonceHolder | undefined,
): HandshakeFacts['nonce'] {
  const nonce = holder ? nonceOf(holder.secret) : '';
  if (!holder || nonce === '') return 'missing';
  const step = planNonce(nonce, readNonceRecord(holder.namespace), clock.now());
  return step.type === 'keep' ? 'valid' : 'expired';
}
