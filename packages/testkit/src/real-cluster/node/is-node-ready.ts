interface NodeStatus {
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Whether a node, as the API server tells of it, takes pods. */
export function isNodeReady(node: NodeStatus): boolean {
  const conditions = node.status?.conditions ?? [];
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
}
