import { labels } from '@liqo/api';
import { type Client, isNotFound, Node, Pod } from '@liqo/kube';
import { silentLogger, startInformer, systemClock, systemRandom } from '@liqo/runtime';

/** The Node of a virtual node, and somebody who lets go of the pods on it as soon as they are deleted. */
export async function playVirtualKubelet(client: Client, name: string): Promise<AsyncDisposable> {
  const marks = { [labels.type]: 'virtual-node', [labels.remoteClusterID]: 'milan' };
  await client.create(Node, { metadata: { name, labels: marks } });
  const informer = startInformer({
    client,
    kind: Pod,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    selection: { fieldSelector: `spec.nodeName=${name}` },
  });
  const letGo = async ({ metadata }: Pod) => {
    if (metadata?.deletionTimestamp === undefined) return;
    const key = { namespace: metadata.namespace, name: metadata.name ?? '' };
    await client.delete(Pod, key, { gracePeriodSeconds: 0 }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  };
  informer.subscribe({
    onAdd: (pod) => void letGo(pod),
    onUpdate: (_, pod) => void letGo(pod),
    onDelete: () => undefined,
  });
  return informer;
}
