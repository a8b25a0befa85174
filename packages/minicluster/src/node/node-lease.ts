import {
  type Client,
  type Clock,
  formatMicroTime,
  isNotFound,
  Lease,
  mergePatch,
  type Node,
  type Stored,
} from '@liqo/kube';

const namespace = 'kube-node-lease';
const leaseDurationSeconds = 40;

/** Says that the node is alive, which is all that the node lifecycle controller waits for. */
export async function renewNodeLease(
  client: Client,
  clock: Clock,
  node: Stored<Node>,
  signal: AbortSignal,
): Promise<void> {
  const { name, uid } = node.metadata;
  const renewTime = formatMicroTime(clock.now());
  try {
    await client.patch(Lease, { namespace, name }, mergePatch({ spec: { renewTime } }), signal);
    return;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name, uid }];
  const spec = { holderIdentity: name, leaseDurationSeconds, renewTime };
  await client.create(Lease, { metadata: { namespace, name, ownerReferences }, spec }, signal);
}
