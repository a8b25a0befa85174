import { Advertisement, finalizers } from '@liqo/api';
import { findCondition, keyOf, mergePatch, type Stored } from '@liqo/kube';
import { isOwnOffer } from '../cluster/find-advertisement.ts';
import { ifServed } from './if-served.ts';
import { kubectlDescribe } from './kubectl.ts';
import {
  attemptAt,
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from './peering-side.ts';
import { removeObject } from './remove-object.ts';

type Offer = Stored<Advertisement>;

/** The offers of a provider to the cluster of this side, in its tenant namespace. */
export interface OffersPlace {
  readonly provider: string;
  /** Without it there are none. */
  readonly namespace: string | undefined;
}

const nothing = { items: [], resourceVersion: '' };

/**
 * Refuses the offers of a provider, and waits until their virtual nodes are gone. One that is only deleted would come back with
 * its next refresh, and its virtual node with it.
 */
export async function refuseOffers(
  context: StepContext,
  side: PeeringSide,
  place: OffersPlace,
  waits = true,
): Promise<void> {
  for (const offer of await listOffers(context, side, place)) {
    if (!isRefused(offer)) await refuse(context, side, offer);
    if (waits) await waitUntilUnused(context, side, offer);
  }
}

/** Whether an offer of the provider still has, or may have, a virtual node. */
export async function hasUsedOffers(
  context: StepContext,
  side: PeeringSide,
  place: OffersPlace,
): Promise<boolean> {
  return (await listOffers(context, side, place)).some(isUsed);
}

/** Once the consumer has no credentials at the provider any more, they cannot come back. */
export async function removeOffers(
  context: StepContext,
  side: PeeringSide,
  place: OffersPlace,
): Promise<void> {
  for (const object of await listOffers(context, side, place)) {
    await removeObject(context, side, { kind: Advertisement, object });
  }
}

async function listOffers(
  { signal }: StepContext,
  side: PeeringSide,
  { provider, namespace }: OffersPlace,
): Promise<readonly Offer[]> {
  if (namespace === undefined) return [];
  const listing = side.client.list(Advertisement, { namespace, signal });
  const verb = `list the offers of "${provider}"`;
  const { items } = await attemptAt(side, verb, ifServed(listing, nothing));
  return items.filter((offer) => !isOwnOffer(offer) && offer.spec.providerClusterID === provider);
}

function isRefused({ status }: Offer): boolean {
  return status?.decision?.source === 'Manual' && status.decision.value === 'Refused';
}

function isUsed({ metadata }: Offer): boolean {
  return metadata.finalizers?.includes(finalizers.advertisement) ?? false;
}

async function refuse(context: StepContext, side: PeeringSide, offer: Offer): Promise<void> {
  const what = `offer of "${offer.spec.providerClusterID}"`;
  const done = `The ${what} is refused`;
  const step = {
    verb: `refuse the ${what}`,
    doing: `Refusing the ${what}`,
    done,
    trace: { begun: `the ${what} may be refused`, done: `the ${what} is refused` },
  };
  // Without reason and time: the controller completes a decision that was made by hand.
  const status = { decision: { value: 'Refused', source: 'Manual', reason: null, time: null } };
  const patch = mergePatch({ metadata: { uid: offer.metadata.uid }, status });
  const { signal } = context;
  await workStep(context, side, step, async () => {
    const call = { subresource: 'status', signal } as const;
    await side.client.patch(Advertisement, keyOf(offer), patch, call);
  });
}

async function waitUntilUnused(
  context: StepContext,
  side: PeeringSide,
  offer: Offer,
): Promise<void> {
  const key = keyOf(offer);
  const what = `virtual node of the offer of "${offer.spec.providerClusterID}"`;
  await waitForControllers<true>(context, side, {
    doing: `Waiting for the ${what} to be gone`,
    done: `The ${what} is gone`,
    look: async (signal) => {
      const current = await side.client.get(Advertisement, key, signal);
      if (current?.metadata.uid !== offer.metadata.uid || !isUsed(current)) return { done: true };
      const ready = findCondition(current.status?.conditions, 'VirtualNodeReady');
      return { notYet: ready?.message ?? 'it is still there' };
    },
    hint: `See what holds it: ${kubectlDescribe(Advertisement, key)}`,
  });
}
