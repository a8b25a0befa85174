import type { FilterPlugin, Rejection } from '../plugin.ts';
import { tolerates } from './tolerations.ts';

const rejection: Rejection = { reasons: ['node(s) were unschedulable'], resolvable: false };
const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Cordoned nodes, except for pods that tolerate the taint which says the same. */
export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  prepare: ({ pod }) => {
    if (tolerates(pod.spec?.tolerations, taint)) return undefined;
    return ({ node }) => (node.spec?.unschedulable ? rejection : undefined);
  },
};
