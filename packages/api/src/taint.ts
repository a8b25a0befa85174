/** On every virtual node, so that only pods that agreed to it go there. */
export const virtualNodeTaint = {
  key: 'virtual-node.liqo.io/not-allowed',
  value: 'true',
  effect: 'NoExecute',
} as const;

/** What makes a pod agree. */
export const virtualNodeToleration = {
  key: virtualNodeTaint.key,
  operator: 'Exists',
  effect: virtualNodeTaint.effect,
} as const;
