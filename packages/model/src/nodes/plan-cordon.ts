import { annotations } from '@liqo/api';
import { type Json, type Node, oneLine, type Stored } from '@liqo/kube';

/**
 * The change that cordons a Node for this reason, or ends a cordon for none; undefined if nothing is to be changed. The cordon
 * of an administrator is left alone: only one with our annotation is ended.
 */
export function planCordon(node: Stored<Node>, why: string | undefined): Json | undefined {
  const { uid } = node.metadata;
  const reason = node.metadata.annotations?.[annotations.cordonReason];
  const isCordoned = node.spec?.unschedulable === true;
  if (why === undefined) {
    return reason === undefined ? undefined : change(uid, null, isCordoned ? null : undefined);
  }
  const wanted = oneLine(why);
  if (isCordoned && (reason === undefined || reason === wanted)) return undefined;
  return change(uid, wanted, true);
}

function change(uid: string, reason: string | null, unschedulable: true | null | undefined): Json {
  return {
    metadata: { uid, annotations: { [annotations.cordonReason]: reason } },
    ...(unschedulable !== undefined && { spec: { unschedulable } }),
  };
}
