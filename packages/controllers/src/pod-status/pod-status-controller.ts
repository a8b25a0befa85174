import { labels, labelValues } from '@liqo/api';
import { keyOf, Node, Pod, type Stored } from '@liqo/kube';
import { isReady } from '@liqo/model';
import { mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { PodStatusReconciler } from './reconcile-pod-status.ts';

/** At a consumer: marks the offloaded pods whose provider cannot be reached, so that services can leave them out. */
export function startPodStatusController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const nodes = loop.watch(Node, {
    selection: { labelSelector: `${labels.type}=${labelValues.virtualNode}` },
  });
  const pods = loop.watch<Pod, 'node'>(Pod, {
    selection: { labelSelector: `${labels.shadowPod}=true` },
    transform: onlyNodeName,
    indexes: { node: ({ spec }) => [spec?.nodeName ?? ''] },
  });
  const reconciler = new PodStatusReconciler({ client: context.client, nodes, pods });
  return loop.run({
    name: 'podstatus',
    concurrency: 8,
    sources: [
      primary(pods),
      mapped(
        nodes,
        ({ metadata }) => pods.byIndex('node', metadata.name).map(keyOf),
        (before, after) => isReady(before) !== isReady(after),
      ),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}

/** There are many of them, and nothing else matters here. */
function onlyNodeName({ spec, status: _, ...others }: Stored<Pod>): Stored<Pod> {
  const { nodeName } = spec ?? {};
  return { ...others, spec: { containers: [], ...(nodeName && { nodeName }) } };
}
