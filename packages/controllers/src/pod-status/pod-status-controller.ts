import { labels } from '@liqo/api';
import { keyOf, Node, type ObjectKey, Pod, type Stored } from '@liqo/kube';
import { isReady } from '@liqo/model';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { virtualNodesOnly } from '../selections.ts';
import { PodStatusReconciler } from './reconcile-pod-status.ts';

/**
 * At a consumer: marks the offloaded pods whose provider cannot be reached, so that services can leave them out. There are
 * many pods and seldom trouble: only those that are marked are watched, the others are looked for when it comes.
 */
export function startPodStatusController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const nodes = loop.watch(Node, virtualNodesOnly);
  const marked = loop.watchAlone<Pod, 'node'>(Pod, {
    selection: { labelSelector: `${labels.shadowPod}=true,${labels.remoteUnavailable}` },
    transform: onlyNodeName,
    indexes: { node: ({ spec }) => [spec?.nodeName ?? ''] },
  });
  const reconciler = new PodStatusReconciler({ client: context.client, nodes, marked });
  const readyNodeOf = ({ spec }: Pod): readonly ObjectKey[] => {
    const node = nodes.get({ name: spec?.nodeName ?? '' });
    return node && isReady(node) ? [keyOf(node)] : [];
  };
  return loop.run({
    name: 'podstatus',
    concurrency: 4,
    sources: [
      primary(nodes, (before, after) => isReady(before) !== isReady(after)),
      mapped(marked, readyNodeOf),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** Nothing else of them matters here. */
function onlyNodeName({ spec, status: _, ...others }: Stored<Pod>): Stored<Pod> {
  const { nodeName } = spec ?? {};
  return { ...others, spec: { containers: [], ...(nodeName && { nodeName }) } };
}
