import { deepEqual, Node } from '@liqo/kube';
import { withProviderOnly } from '@liqo/model';
import { type Informer, startInformer } from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';

/** The Nodes of the consumer, as far as they tell which cluster a pod runs in. */
export function watchNodes({ local: client, clock, random, log }: KubeletContext): Informer<Node> {
  return startInformer({ client, clock, random, log, kind: Node, transform: withProviderOnly });
}

/** Calls back when a Node joins, leaves or stands for another provider. */
export function onNodeChange(nodes: Informer<Node>, onChange: () => void): Disposable {
  return nodes.subscribe({
    onAdd: (_, isInitialList) => void (isInitialList || onChange()),
    onUpdate: ({ metadata }, now) =>
      void (deepEqual(metadata.labels, now.metadata.labels) || onChange()),
    onDelete: onChange,
  });
}
