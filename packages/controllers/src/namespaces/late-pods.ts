import type { NamespaceOffloading } from '@liqo/api';
import {
  ApiError,
  type Client,
  isNotFound,
  mergePatch,
  type Node,
  Pod,
  type Stored,
} from '@liqo/kube';
import { planLatePod } from '@liqo/model';
import type { CachedReader, EventRecorder } from '@liqo/runtime';

interface LatePodsOptions {
  readonly client: Client;
  readonly events: EventRecorder;
  /** Virtual ones. */
  readonly nodes: CachedReader<Node>;
}

/**
 * Looks at the pods that were created after their NamespaceOffloading and before the API servers asked the webhook about them.
 * Whether one is still to be looked at is found in the pods themselves: it may be repeated.
 */
export async function pickUpLatePods(
  { client, events, nodes }: LatePodsOptions,
  offloading: Stored<NamespaceOffloading>,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = '' } = offloading.metadata;
  const { items } = await client.list(Pod, { namespace, signal });
  for (const pod of items) {
    const { name, uid, resourceVersion } = pod.metadata;
    const step = planLatePod(pod, offloading, (nodeName) => nodes.get({ name: nodeName }));
    if (step.type === 'report') {
      const event = { regarding: pod, type: 'Warning', reason: 'CreatedTooEarly' } as const;
      events.record({ ...event, action: 'Offloading', note: step.message });
    }
    const change = async () => {
      if (step.type === 'tolerate') {
        const tolerations = step.tolerations.map((one) => ({ ...one }));
        const patch = mergePatch({ metadata: { uid, resourceVersion }, spec: { tolerations } });
        await client.patch(Pod, { namespace, name }, patch, signal);
      } else if (step.type === 'replace') {
        await client.evict({ namespace, name }, { preconditions: { uid }, signal });
      }
    };
    await change().catch(forgiveRefusal);
  }
}

/** It is gone, or its disruption budget keeps it: then it stays where it is. */
function forgiveRefusal(error: unknown): void {
  if (isNotFound(error)) return;
  if (error instanceof ApiError && error.code === 429) return;
  throw error;
}
