import type { Advertisement } from '@liqo/api';
import type { Stored } from '@liqo/kube';

type Offer = Stored<Advertisement>;
type Applied = NonNullable<NonNullable<Advertisement['status']>['applied']>;

/** What is kept of an offer that can be used, for the time when a refresh cannot. */
export function appliedOf(spec: Advertisement['spec']): Applied {
  const { labels, storageClasses, ingressClasses, loadBalancerClasses } = spec;
  return {
    resourceQuota: { hard: spec.resourceQuota.hard },
    ...(labels && { labels }),
    ...(storageClasses && { storageClasses }),
    ...(ingressClasses && { ingressClasses }),
    ...(loadBalancerClasses && { loadBalancerClasses }),
  };
}

/** An accepted offer as it was before a refresh that cannot be used; undefined if it never could be. */
export function lastUsableOffer(offer: Offer): Offer | undefined {
  const { applied } = offer.status ?? {};
  if (!applied) return undefined;
  const { labels: _, storageClasses: _s, ingressClasses: _i, ...others } = offer.spec;
  const { loadBalancerClasses: _l, images: _m, ...spec } = others;
  return { ...offer, spec: { ...spec, ...applied } };
}
