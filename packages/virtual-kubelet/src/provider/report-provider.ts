import { VirtualNode } from '@liqo/api';
import { findCondition, formatTime, isInvalid } from '@liqo/kube';
import { withProviderCondition } from '@liqo/model';
import { type ReconcileContext, writeStatus } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { ProviderLink } from './provider-link.ts';

type Reported = Pick<ProviderLink, 'contact' | 'trouble' | 'virtualNode' | 'virtualNodes'>;

/** Says in the VirtualNode how the provider is: there is not always a Node to say it. */
export async function reportProvider(
  { local, clock, log }: KubeletContext,
  { contact, trouble, virtualNode, virtualNodes }: Reported,
  run: ReconcileContext,
): Promise<void> {
  // A predecessor may have said how it is. That we do not know yet is no news.
  if (!virtualNode || contact === 'unknown') return;
  const before = virtualNode.status?.conditions ?? [];
  const now = formatTime(clock.now());
  const conditions = withProviderCondition(before, {
    isReachable: contact === 'there',
    trouble,
    now,
  });
  const status = { ...virtualNode.status, conditions };
  try {
    const written = await writeStatus(local, VirtualNode, virtualNode, status, run.signal);
    if (written === virtualNode) return;
    run.wrote(virtualNodes, written);
    const said = findCondition(conditions, 'Provider');
    log.info('The provider is seen otherwise', { status: said?.status, reason: said?.reason });
  } catch (error) {
    if (!isInvalid(error)) throw error;
    log.warn('Cannot say in the VirtualNode how the provider is: its definition is an older one');
  }
}
