interface NodeState {
  readonly spec?: {
    readonly taints?: readonly { readonly key: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** What a controller puts on a node that does not say it is ready, and takes away some time after it does. */
const troubles = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Whether a node, as the API server tells of it, takes pods. */
export function isNodeReady({ spec, status }: NodeState): boolean {
  const saysSo = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
  const isShut = spec?.taints?.some(
    ({ key, effect }) => effect === 'NoSchedule' && troubles.includes(key),
  );
  return saysSo === true && isShut !== true;
}
