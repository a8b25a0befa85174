import {
  annotations,
  ForeignCluster,
  Identity,
  NamespaceMap,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import { type Kind, type KubeObject, keyOf, mergePatch, Namespace, type Stored } from '@liqo/kube';
import { whyNotReady } from '../cluster/why-not-ready.ts';
import { UserError } from '../user-error.ts';
import { ifServed } from './if-served.ts';
import { type OffersPlace, refuseOffers, removeOffers } from './offers.ts';
import { attemptAt, type PeeringSide, type StepContext, workStep } from './peering-side.ts';
import { removeObject } from './remove-object.ts';
import { findNamespaceOf, whyNamespaceRemains } from './tenant-namespace.ts';

/** What a cluster still has about a peer. */
export interface Remains {
  readonly foreignCluster: Stored<ForeignCluster> | undefined;
  readonly namespace: Stored<Namespace> | undefined;
  readonly virtualNodes: readonly Stored<VirtualNode>[];
  readonly offers: OffersPlace;
}

const nothing = { items: [], resourceVersion: '' };

export async function findRemains(
  side: PeeringSide,
  peer: string,
  signal: AbortSignal,
): Promise<Remains> {
  const { client } = side;
  const verb = `find what there is about "${peer}"`;
  const reading = ifServed(client.get(ForeignCluster, { name: peer }, signal), undefined);
  const foreignCluster = await attemptAt(side, verb, reading);
  const name = await findNamespaceOf(side, peer, signal);
  const namespace = name
    ? await attemptAt(side, verb, client.get(Namespace, { name }, signal))
    : undefined;
  const listing = ifServed(client.list(VirtualNode, signal), nothing);
  const { items } = await attemptAt(side, verb, listing);
  const virtualNodes = items.filter(({ spec }) => spec.clusterID === peer);
  if (!foreignCluster && !namespace && virtualNodes.length === 0) {
    const hint = 'The peers of this cluster are listed by "liqoctl info"';
    throw new UserError(`Cannot unpeer "${peer}": this cluster knows none of that ID`, { hint });
  }
  const offers = { provider: peer, namespace: namespace?.metadata.name };
  return { foreignCluster, namespace, virtualNodes, offers };
}

/**
 * Gives a peer up without asking it: it is marked as gone for good, so that nothing waits for it, and all that is about it goes.
 * A peer that answers all the same loses its copies in order. Safe to repeat.
 */
export async function forceUnpeer(
  context: StepContext,
  side: PeeringSide,
  remains: Remains,
): Promise<void> {
  if (remains.foreignCluster) await giveUp(context, side, remains.foreignCluster);
  const { namespace, virtualNodes, offers } = remains;
  await refuseOffers(context, side, offers);
  for (const object of virtualNodes) {
    await removeObject(context, side, { kind: VirtualNode, object, why: whyNotReady });
  }
  if (!namespace) return;
  const place = { namespace: namespace.metadata.name };
  for (const kind of [ResourceSlice, NamespaceMap, Identity, Tenant] as const) {
    await removeAll(context, side, { kind: kind as Kind<KubeObject>, ...place });
  }
  await removeOffers(context, side, offers);
  await removeObject(context, side, {
    kind: Namespace,
    object: namespace,
    why: whyNamespaceRemains,
  });
}

async function giveUp(
  context: StepContext,
  side: PeeringSide,
  foreignCluster: Stored<ForeignCluster>,
): Promise<void> {
  const { name, uid } = foreignCluster.metadata;
  const marks = { [annotations.permanentlyUnreachable]: 'true' };
  const patch = mergePatch({ metadata: { uid, annotations: marks } });
  const step = {
    verb: `mark the ForeignCluster "${name}"`,
    doing: `Marking "${name}" as gone for good`,
    done: `"${name}" is marked as gone for good`,
    trace: {
      begun: `"${name}" may be marked as gone for good`,
      done: `"${name}" is marked as gone for good`,
    },
  };
  await workStep(context, side, step, async () => {
    await side.client.patch(ForeignCluster, keyOf(foreignCluster), patch, context.signal);
  });
}

async function removeAll<T extends KubeObject>(
  context: StepContext,
  side: PeeringSide,
  { kind, namespace }: { readonly kind: Kind<T>; readonly namespace: string },
): Promise<void> {
  const listing = side.client.list(kind, { namespace, signal: context.signal });
  const verb = `list the ${kind.plural} in "${namespace}"`;
  const { items } = await attemptAt(side, verb, ifServed(listing, nothing));
  for (const object of items) await removeObject(context, side, { kind, object });
}
