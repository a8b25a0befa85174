import { fixedNames, labels } from '@liqo/api';
import { isAlreadyExists, mergePatch, Secret, type Stored } from '@liqo/kube';
import { forgeSignedNonce } from '@liqo/model';
import type { Look } from '../cluster/wait-until.ts';
import { type ClusterKeys, isSignatureOf, readClusterKeys } from './cluster-keys.ts';
import { nonceOf } from './nonce.ts';
import {
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from './peering-side.ts';
import { making } from './traces.ts';

/** Where the signature of a nonce is made: at the consumer, in its tenant namespace about the provider. */
interface SignatureRequest {
  readonly providerID: string;
  readonly namespace: string;
  readonly nonce: string;
}

export interface SignedNonce {
  /** Base64. */
  readonly signature: string;
  readonly keys: ClusterKeys;
}

/** Has the consumer sign a nonce, unless it has signed that one before. */
export async function ensureSignedNonce(
  context: StepContext,
  side: PeeringSide,
  request: SignatureRequest,
): Promise<SignedNonce> {
  const { signal } = context;
  const verb = `have "${side.clusterID}" sign the nonce of "${request.providerID}"`;
  const step = {
    verb,
    doing: `Handing over the nonce of "${request.providerID}"`,
    done: `Nonce of "${request.providerID}" is handed over`,
    trace: making(`the Secret for the signed nonce in "${side.clusterID}"`),
  };
  await workStep(context, side, step, () => handOver(side, request, signal));
  return waitForControllers(context, side, {
    doing: 'Waiting for the signature of the nonce',
    done: 'Nonce is signed',
    look: (stop) => lookAtSignature(side, request, stop),
    hint: `See what holds it up: kubectl describe secrets -n ${request.namespace} -l ${labels.signedNonce}`,
  });
}

async function handOver(
  side: PeeringSide,
  request: SignatureRequest,
  signal: AbortSignal,
): Promise<void> {
  const { client } = side;
  const { providerID, namespace, nonce } = request;
  const wanted = forgeSignedNonce({ provider: providerID, tenantNamespace: namespace, nonce });
  const existing = await readSignedNonce(side, request, signal);
  if (existing && nonceOf(existing) === nonce) return;
  if (existing) {
    const { name, resourceVersion } = existing.metadata;
    // The signature of another nonce must not be taken for that of this one.
    const data = { ...wanted.data, signedNonce: null };
    const patch = mergePatch({ metadata: { resourceVersion }, data });
    await client.patch(Secret, { namespace, name }, patch, signal);
    return;
  }
  await client.create(Secret, wanted, signal).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** Labels make a Secret the one with the signature, whatever its name. */
export async function readSignedNonce(
  { client }: PeeringSide,
  { providerID, namespace }: Pick<SignatureRequest, 'providerID' | 'namespace'>,
  signal: AbortSignal,
): Promise<Stored<Secret> | undefined> {
  const labelSelector = `${labels.signedNonce},${labels.remoteClusterID}=${providerID}`;
  const { items } = await client.list(Secret, { namespace, labelSelector, signal });
  return items.find(({ metadata }) => metadata.name === fixedNames.signedNonceSecret) ?? items[0];
}

async function lookAtSignature(
  side: PeeringSide,
  request: SignatureRequest,
  signal: AbortSignal,
): Promise<Look<SignedNonce>> {
  const secret = await readSignedNonce(side, request, signal);
  if (!secret || nonceOf(secret) !== request.nonce) {
    return { notYet: 'another client replaced the nonce meanwhile' };
  }
  const signature = secret.data?.signedNonce;
  if (!signature) return { notYet: 'the consumer has not signed it yet' };
  const keys = await readClusterKeys(side, signal);
  if (isSignatureOf(request.nonce, signature, keys)) return { done: { signature, keys } };
  return { notYet: 'the signature is of another key or nonce' };
}
