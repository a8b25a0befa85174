import type { VirtualNode } from '@liqo/api';
import { findCondition } from '@liqo/kube';

/** What a virtual node waits for, in its own words. */
export function whyNotReady({ status }: VirtualNode): string {
  const kubelet = findCondition(status?.conditions, 'VirtualKubelet');
  const node = findCondition(status?.conditions, 'Node');
  if (!kubelet && !node) return 'the controllers of Liqo have not looked at it yet';
  const provider = findCondition(status?.conditions, 'Provider');
  const [first] = [
    ...(kubelet?.status === 'Running' ? [] : [kubelet]),
    ...(provider?.status === 'Unreachable' ? [provider] : []),
    ...(node?.status === 'Running' ? [] : [node]),
  ];
  return first?.message ?? first?.reason ?? 'its Node is not Ready yet';
}
