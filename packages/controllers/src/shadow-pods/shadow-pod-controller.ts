import { labels, labelValues, ShadowPod } from '@liqo/api';
import { keyOf, Namespace, Pod } from '@liqo/kube';
import { labelsChanged, mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ofPeers } from '../selections.ts';
import { ShadowPodReconciler } from './reconcile-shadow-pod.ts';
import { Rush } from './rush.ts';

export interface ShadowPodOptions {
  /** How old a pod is at least before its ShadowPod says that it runs, and at most twice that. */
  readonly phaseAfterMs?: number;
}

/** A job that ends sooner is worth one write, and while many pods start or end there is more urgent work. */
const defaultPhaseAfterMs = 15_000;
/** From ten pods a second on, a provider has more urgent work than to say what its pods show anyway. */
const rushing = { many: 100, windowMs: 10_000 };

/** At a provider: makes the pods that consumers ask for, and makes them again until they have finished. */
export function startShadowPodController(
  context: ControllerContext,
  { phaseAfterMs = defaultPhaseAfterMs }: ShadowPodOptions = {},
): Stoppable {
  const loop = new ControlLoop(context);
  const shadowPods = loop.watch(ShadowPod);
  const pods = loop.watch(Pod, {
    labelSelector: `${labels.managedBy}=${labelValues.managedByShadowPod}`,
  });
  const namespaces = loop.watch(Namespace, ofPeers);
  const { client, clock, random, events } = context;
  const reconciler = new ShadowPodReconciler({
    client,
    clock,
    random,
    phaseAfterMs,
    rush: new Rush({ clock, ...rushing }),
    events,
    shadowPods,
    pods,
    namespaces,
  });
  return loop.run({
    name: 'shadowpod',
    concurrency: 16,
    sources: [
      primary(shadowPods),
      mapped(pods, (pod) => [keyOf(pod)]),
      mapped(
        namespaces,
        ({ metadata }) => shadowPods.list(metadata.name).map(keyOf),
        labelsChanged,
      ),
    ],
    reconcile: (key, run) => reconciler.reconcile(key, run),
  });
}
