import type { Random } from '@liqo/kube';

/** Chance as the machine gives it. Not for secrets. */
export const systemRandom: Random = () => Math.random();
