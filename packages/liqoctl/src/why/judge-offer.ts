import type { Advertisement } from '@liqo/api';
import { findCondition, type Stored } from '@liqo/kube';
import { type Break, broken, type Link } from './chain.ts';

/** Decisions that only a change of the offer by the provider ends. */
const reasonsOfProvider: readonly (string | undefined)[] = [
  'IdentityMismatch',
  'InvalidResources',
  'InvalidTimeToLive',
  'Withdrawn',
];

/** The offer that a virtual node was made of, or that none was made of yet. */
export function offerLink(offer: Stored<Advertisement>): Link {
  const { name, namespace } = offer.metadata;
  return {
    link: 'offer',
    object: `Advertisement "${name}" in "${namespace}"`,
    problem: judgeOffer(offer),
  };
}

function judgeOffer({ metadata, spec, status }: Stored<Advertisement>): Break | undefined {
  const provider = spec.providerClusterID;
  if (metadata.deletionTimestamp !== undefined) {
    const describe = `kubectl describe advertisements.sharing.liqo.io ${metadata.name} -n ${metadata.namespace}`;
    return broken('OfferTerminating', 'it is being deleted', describe);
  }
  if (spec.withdrawalTimestamp !== undefined) {
    const evidence = `"${provider}" has withdrawn it`;
    return broken('Withdrawn', evidence, 'liqoctl offer enable', { at: 'provider' });
  }
  const { decision, conditions, phase } = status ?? {};
  if (!decision) {
    const evidence = 'the controllers have not decided about it yet';
    return broken('OfferUndecided', evidence, 'kubectl get pods -n liqo', { isPending: true });
  }
  if (phase !== 'Accepted') {
    const message = findCondition(conditions, 'Accepted')?.message;
    const evidence = message ?? 'it is not accepted';
    const reason = decision.reason ?? 'NotAccepted';
    return reasonsOfProvider.includes(reason)
      ? broken(reason, evidence, 'liqoctl offer status', { at: 'provider' })
      : broken(reason, evidence, `liqoctl advertisement accept ${provider}`);
  }
  return judgeAccepted(conditions);
}

type Conditions = NonNullable<Advertisement['status']>['conditions'];

function judgeAccepted(conditions: Conditions): Break | undefined {
  const failing = (['SpecApplied', 'CredentialsReady', 'VirtualNodeReady'] as const)
    .map((type) => findCondition(conditions, type))
    .find((one) => one?.status === 'False');
  if (!failing) return undefined;
  const { type, reason = type, message = 'it is accepted, and not usable yet' } = failing;
  const isFollowing = type === 'VirtualNodeReady';
  return broken(reason, message, 'liqoctl offer status', {
    at: 'provider',
    mayFollow: isFollowing,
  });
}
