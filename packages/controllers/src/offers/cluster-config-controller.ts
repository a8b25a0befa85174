import { ClusterConfig } from '@liqo/api';
import { deepEqual } from '@liqo/kube';
import { primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ClusterConfigReconciler } from './reconcile-cluster-config.ts';

/** Keeps the last valid ClusterConfig for the time when the present one is malformed, and reports those that do not count. */
export function startClusterConfigController(context: ControllerContext): Stoppable {
  const loop = new ControlLoop(context);
  const configs = loop.watch(ClusterConfig);
  const reconciler = new ClusterConfigReconciler({ ...context, configs });
  const isOther = (before: ClusterConfig, after: ClusterConfig) =>
    !deepEqual(before.spec, after.spec);
  return loop.run({
    name: 'cluster-config',
    sources: [primary(configs, isOther)],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
