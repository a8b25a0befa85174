import { Advertisement, finalizers, VirtualNode } from '@liqo/api';
import { type Client, type Clock, formatTime, type Stored } from '@liqo/kube';
import { isOfOffer, standDownStatus } from '@liqo/model';
import {
  done,
  hasFinalizer,
  type Informer,
  type Outcome,
  type ReconcileContext,
  removeFinalizer,
  requeueAfter,
  writeStatus,
} from '@liqo/runtime';
import { removeIfThere } from '../remove-if-there.ts';

interface StandDownContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly offers: Informer<Advertisement>;
}

type Offer = Stored<Advertisement>;

export const lookAgainMs = 5_000;

/** Removes the virtual node of an offer that is refused, withdrawn or deleted. */
export class StandDown {
  readonly #context: StandDownContext;

  constructor(context: StandDownContext) {
    this.#context = context;
  }

  /** For an offer that stays, refused or waiting for a decision. */
  async stand(offer: Offer, run: ReconcileContext): Promise<Outcome> {
    const { client, clock, offers } = this.#context;
    const { signal } = run;
    const isHeld = hasFinalizer(offer, finalizers.advertisement);
    const going = isHeld ? await this.remove(offer, signal) : undefined;
    const now = formatTime(clock.now());
    const status = standDownStatus(offer.status ?? { phase: 'Pending' }, { going, now });
    const written = await writeStatus(client, Advertisement, offer, status, signal);
    if (written !== offer) run.wrote(offers, written);
    if (going !== undefined) return requeueAfter(lookAgainMs, going);
    if (!isHeld) return done;
    await removeFinalizer(client, Advertisement, written, finalizers.advertisement, signal);
    return done;
  }

  /** Says what is still going on; undefined once nothing of the offer is left. */
  async remove(offer: Offer, signal: AbortSignal): Promise<string | undefined> {
    const { client } = this.#context;
    const { namespace } = offer.metadata;
    const { items } = await client.list(VirtualNode, { namespace, signal });
    const made = items.filter((virtualNode) => isOfOffer(virtualNode, offer));
    for (const virtualNode of made) {
      if (virtualNode.metadata.deletionTimestamp !== undefined) continue;
      await removeIfThere(client, VirtualNode, virtualNode, { signal });
    }
    const [first] = made;
    return first && `waiting for the virtual node "${first.metadata.name}" to go`;
  }
}
