import { fixedNames, labels } from '@liqo/api';
import { isAlreadyExists, Secret, type Stored } from '@liqo/kube';
import { findNonceSecret, forgeNonceSecret } from '@liqo/model';
import type { Look } from '../cluster/wait-until.ts';
import { ifAllowed } from './if-served.ts';
import {
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from './peering-side.ts';
import { making } from './traces.ts';

/** Where a nonce is: at the provider, in its tenant namespace about the consumer. */
interface NoncePlace {
  readonly consumerID: string;
  readonly namespace: string;
}

/**
 * The Secret that asks the provider for a nonce, whatever its name; undefined if there is none. A caller that may not list
 * Secrets, as a peering user, gets the one with the name that it has by default.
 */
export async function readNonceSecret(
  { client }: PeeringSide,
  { consumerID, namespace }: NoncePlace,
  signal: AbortSignal,
): Promise<Stored<Secret> | undefined> {
  const labelSelector = `${labels.nonce},${labels.remoteClusterID}=${consumerID}`;
  const listing = client.list(Secret, { namespace, labelSelector, signal });
  const listed = await ifAllowed(listing, undefined);
  if (listed) return findNonceSecret(consumerID, listed.items);
  const named = await client.get(Secret, { namespace, name: fixedNames.nonceSecret }, signal);
  return named && findNonceSecret(consumerID, [named]);
}

/** The nonce as text, which is what is signed; undefined until the provider has made it. */
export function nonceOf(secret: Secret | undefined): string | undefined {
  const encoded = secret?.data?.nonce;
  return encoded ? Buffer.from(encoded, 'base64').toString() : undefined;
}

/** Asks the provider for a nonce, unless that was done before, and waits until it is there. */
export async function ensureNonce(
  context: StepContext,
  side: PeeringSide,
  place: NoncePlace,
): Promise<string> {
  const { signal } = context;
  const about = `the nonce for "${place.consumerID}"`;
  await workStep<boolean>(
    context,
    side,
    {
      trace: making(`the Secret for the nonce in "${side.clusterID}"`),
      verb: `ask "${side.clusterID}" for ${about}`,
      doing: `Asking for ${about}`,
      done: (isNew) =>
        isNew ? `N${about.slice(5)} is asked for` : `N${about.slice(5)} was asked for before`,
    },
    async () => {
      const wanted = forgeNonceSecret(place.consumerID, place.namespace);
      if (await readNonceSecret(side, place, signal)) return false;
      return side.client.create(Secret, wanted, signal).then(
        () => true,
        (error: unknown) => {
          if (isAlreadyExists(error)) return false;
          throw error;
        },
      );
    },
  );
  return waitForControllers(context, side, {
    doing: `Waiting for ${about}`,
    done: `N${about.slice(5)} is generated`,
    look: async (stop) => lookAtNonce(await readNonceSecret(side, place, stop)),
    hint: `See what holds it up: kubectl describe secrets -n ${place.namespace} -l ${labels.nonce}`,
  });
}

function lookAtNonce(secret: Stored<Secret> | undefined): Look<string> {
  const nonce = nonceOf(secret);
  if (nonce !== undefined) return { done: nonce };
  return { notYet: secret ? 'the provider has not generated it yet' : 'there is no Secret for it' };
}
