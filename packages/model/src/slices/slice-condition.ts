import type { ResourceSlice } from '@liqo/api';
import { oneLine } from '@liqo/kube';

type SliceStatus = NonNullable<ResourceSlice['status']>;
type SliceCondition = NonNullable<SliceStatus['conditions']>[number];

/** With the reason and the message of Liqo v1.2; a message about a denial goes on with the fact behind it. */
export function sliceCondition(
  type: SliceCondition['type'],
  status: SliceCondition['status'],
  fact?: string,
  reason = `ResourceSlice${type}${status}`,
): Required<Pick<SliceCondition, 'message' | 'reason' | 'status' | 'type'>> {
  const words = `ResourceSlice ${type.toLowerCase()} ${status.toLowerCase()}`;
  const message = oneLine(fact === undefined ? words : `${words}: ${fact}`);
  return { type, status, reason, message };
}
