import type { FilterPlugin } from '../plugin.ts';
import { claimsOf, planVolumes } from '../volumes/plan-volumes.ts';

/** Nodes where the volumes of the pod are, or can be made. */
export const volumeBinding: FilterPlugin = {
  name: 'VolumeBinding',
  refuse: ({ pod }, { volumes }) => {
    const claims = claimsOf(pod, volumes);
    return claims.type === 'refused' ? claims.message : undefined;
  },
  prepare: ({ pod }, { volumes }) => {
    const claims = claimsOf(pod, volumes);
    if (claims.type === 'refused' || claims.bound.length + claims.late.length === 0)
      return undefined;
    return ({ node }) => {
      const plan = planVolumes(claims, node, volumes);
      if (plan.type === 'plan') return undefined;
      return { reasons: [plan.reason], resolvable: false };
    };
  },
};
