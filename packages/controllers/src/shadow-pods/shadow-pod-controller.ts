import { labels, labelValues, Quota, ShadowPod, Tenant } from '@liqo/api';
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
import { openGate, QuotaGate } from '../quotas/quota-gate.ts';
import { ofPeers } from '../selections.ts';
import { tenantOf } from '../tenant-of.ts';
import { ShadowPodReconciler } from './reconcile-shadow-pod.ts';
import { Rushes } from './rush.ts';

export interface ShadowPodOptions {
  readonly phaseDelays?: PhaseDelays;
  readonly tenantLimits?: TenantLimits;
  readonly podPolicy?: PodPolicy;
  /** Whether pods beyond the Quotas of their consumer wait. */
  readonly enforceQuotas?: boolean;
}

/** From ten pods of a consumer a second on, there is more urgent work than to say what its pods show anyway. */
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
  const gate = options.enforceQuotas
    ? new QuotaGate({
        pods,
        quotas: loop.watch(Quota),
        tenants: loop.watch(Tenant),
        namespaces,
        clock,
      })
    : undefined;
  const tenant = tenantOf(namespaces);
  const rushes = new Rushes({ clock, ...rushing });
  const reconciler = new ShadowPodReconciler({
    client,
    clock,
    random,
    phaseDelays,
    tenantLimits,
    podPolicy,
    quotas: gate ?? openGate,
    rushOf: (key) => rushes.of(tenant(key)),
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
    flowOf: tenant,
    sources: [
      ...(gate ? [gate] : []),
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
