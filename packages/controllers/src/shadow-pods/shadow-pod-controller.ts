import { labels, labelValues, ShadowPod } from '@liqo/api';
import { keyOf, Namespace, Pod } from '@liqo/kube';
import {
  defaultPhaseDelays,
  defaultPodPolicy,
  defaultTenantLimits,
  type PhaseDelays,
  type PodPolicy,
  type TenantLimits,
} from '@liqo/model';
import { labelsChanged, mapped, primary, type Stoppable } from '@liqo/runtime';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ofPeers } from '../selections.ts';
import { tenantOf } from '../tenant-of.ts';
import { ShadowPodReconciler } from './reconcile-shadow-pod.ts';
import { Rush } from './rush.ts';

export interface ShadowPodOptions {
  readonly phaseDelays?: PhaseDelays;
  readonly tenantLimits?: TenantLimits;
  readonly podPolicy?: PodPolicy;
}

/** From ten pods a second on, a provider has more urgent work than to say what its pods show anyway. */
const rushing = { many: 100, windowMs: 10_000 };

/** At a provider: makes the pods that consumers ask for, and makes them again until they have finished. */
export function startShadowPodController(
  context: ControllerContext,
  options: ShadowPodOptions = {},
): Stoppable {
  const {
    phaseDelays = defaultPhaseDelays,
    tenantLimits = defaultTenantLimits,
    podPolicy = defaultPodPolicy,
  } = options;
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
    phaseDelays,
    tenantLimits,
    podPolicy,
    rush: new Rush({ clock, ...rushing }),
    events,
    shadowPods,
    pods,
    namespaces,
  });
  return loop.run({
    name: 'shadowpod',
    concurrency: 20,
    // However many pods one consumer asks for, workers are left for the others.
    concurrencyPerFlow: 16,
    flowOf: tenantOf(namespaces),
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
