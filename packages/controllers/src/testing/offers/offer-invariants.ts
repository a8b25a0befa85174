import { Advertisement, type ClusterConfig, VirtualNode, virtualKubeletName } from '@liqo/api';
import type { KubeObject, Pod, Stored } from '@liqo/kube';
import { isOfOffer, judgeOffers } from '@liqo/model';
import { consumer, type OfferWorld } from './offer-world.ts';
import type { Happening } from './played-kubelets.ts';

type Offer = Stored<Advertisement>;

const isAccepted = ({ status }: Offer) => status?.phase === 'Accepted';

/** What is wrong with a world at rest, a line each. */
export async function findWrongAtRest(world: OfferWorld): Promise<readonly string[]> {
  const { items: offers } = await world.admin.list(Advertisement);
  const { items: virtualNodes } = await world.admin.list(VirtualNode);
  const config = (await world.config())?.spec.advertisementConfig.ingoingConfig;
  const placeOf = () => ({ ownClusterID: consumer, misplaced: undefined });
  const verdicts = judgeOffers(offers, { config, placeOf });
  const isWanted = (node: Stored<VirtualNode>) =>
    offers.some((offer) => isAccepted(offer) && isOfOffer(node, offer));
  return [
    ...offers.flatMap((offer) => {
      const { name, uid, deletionTimestamp } = offer.metadata;
      const { phase, decision } = offer.status ?? {};
      const verdict = verdicts.get(uid);
      if (deletionTimestamp !== undefined) return [`${name} is still going`];
      const isDecided = phase === verdict?.value && decision?.reason === verdict?.reason;
      const is = `${phase} ${decision?.reason}`;
      return isDecided ? [] : [`${name} is ${is}, not ${verdict?.value} ${verdict?.reason}`];
    }),
    ...offers
      .filter((offer) => isAccepted(offer) && !virtualNodes.some((one) => isOfOffer(one, offer)))
      .map(({ metadata }) => `${metadata.name} is accepted, and has no VirtualNode`),
    ...virtualNodes
      .filter((node) => !isWanted(node))
      .map(({ metadata }) => `the VirtualNode ${metadata.name} has no accepted offer`),
  ];
}

/** What went wrong at any moment, a line each. */
export function findWrongInHistory(history: readonly Happening[]): readonly string[] {
  const ordered = history.toSorted((one, other) => one.version - other.version);
  return [...findExcess(ordered), ...findDisorder(ordered), ...findEarlyEnds(ordered)];
}

/** When the policy accepts an offer, no more are accepted than it allows. */
function findExcess(history: readonly Happening[]): readonly string[] {
  const offers = new Map<string, Offer>();
  const wrongs: string[] = [];
  let most = 0;
  for (const { type, kind, object } of history) {
    if (kind === 'ClusterConfig') most = type === 'DELETED' ? 0 : maximumOf(object);
    if (kind !== Advertisement.kind) continue;
    const offer = object as Offer;
    const { uid, name } = offer.metadata;
    const before = offers.get(uid);
    if (type === 'DELETED') offers.delete(uid);
    else offers.set(uid, offer);
    const isNew = type !== 'DELETED' && isAccepted(offer) && !(before && isAccepted(before));
    if (!isNew || offer.status?.decision?.source !== 'Policy') continue;
    const taken = [...offers.values()].filter(holdsPlaceNow).length;
    if (taken > most) wrongs.push(`${name} was accepted as number ${taken} of ${most}`);
  }
  return wrongs;
}

function maximumOf(object: Stored<KubeObject>): number {
  const { advertisementConfig } = (object as Stored<ClusterConfig>).spec;
  return advertisementConfig.ingoingConfig.maxAcceptableAdvertisements;
}

function holdsPlaceNow(offer: Offer): boolean {
  const { metadata, spec, status } = offer;
  const isGoing =
    metadata.deletionTimestamp !== undefined || spec.withdrawalTimestamp !== undefined;
  const isRefusedByHand =
    status?.decision?.source === 'Manual' && status.decision.value === 'Refused';
  return isAccepted(offer) && !isGoing && !isRefusedByHand;
}

/** Of every virtual node that has gone: the pods, the Node, the virtual kubelet, the VirtualNode. */
function findDisorder(history: readonly Happening[]): readonly string[] {
  const wrongs: string[] = [];
  const ends = new Map<string, Map<string, number>>();
  const stepsOf = (name: string) => {
    const steps = ends.get(name) ?? new Map<string, number>();
    ends.set(name, steps);
    return steps;
  };
  for (const happening of history) {
    const [name, step] = endOf(happening) ?? [];
    if (name === undefined || step === undefined) continue;
    const steps = stepsOf(name);
    steps.set(step, happening.version);
    if (step !== 'VirtualNode') continue;
    const order = takeDownOrder.filter((one) => steps.has(one));
    const sorted = order.toSorted((one, other) => (steps.get(one) ?? 0) - (steps.get(other) ?? 0));
    if (sorted.join() !== order.join()) wrongs.push(`${name} went in the order ${sorted.join()}`);
    ends.delete(name);
  }
  return wrongs;
}

const takeDownOrder = ['pod', 'Node', 'virtual kubelet', 'VirtualNode'];

/** Which virtual node has lost what. */
function endOf({
  type,
  kind,
  object,
}: Happening): readonly [string | undefined, string] | undefined {
  const { name } = object.metadata;
  if (type !== 'DELETED') return undefined;
  if (kind === 'Pod') return [(object as Stored<Pod>).spec?.nodeName, 'pod'];
  if (kind === 'Node') return [name, 'Node'];
  if (kind === VirtualNode.kind) return [name, 'VirtualNode'];
  const prefix = virtualKubeletName('');
  return kind === 'Deployment' ? [name.slice(prefix.length), 'virtual kubelet'] : undefined;
}

/** No Advertisement goes while there is a VirtualNode of it. */
function findEarlyEnds(history: readonly Happening[]): readonly string[] {
  const owners = new Map<string, string>();
  const wrongs: string[] = [];
  for (const { type, kind, object } of history) {
    const { name, uid, ownerReferences = [] } = object.metadata;
    if (kind === VirtualNode.kind) {
      if (type === 'DELETED') owners.delete(uid);
      else for (const owner of ownerReferences) owners.set(uid, owner.uid);
    }
    const isLeft =
      kind === Advertisement.kind && type === 'DELETED' && [...owners.values()].includes(uid);
    if (isLeft) wrongs.push(`${name} went before its VirtualNode`);
  }
  return wrongs;
}
