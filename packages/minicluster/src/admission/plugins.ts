import type { Clock, Random } from '@liqo/kube';
import type { Authorizer } from '../auth/access.ts';
import type { Registry } from '../rest/registry.ts';
import type { Store } from '../store/store.ts';
import type { ClusterRoutes } from '../subresources/cluster-routes.ts';
import type { Admission } from './admission.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { defaultTolerations } from './pods/default-tolerations.ts';
import { podPriority } from './pods/pod-priority.ts';
import { runtimeClass } from './pods/runtime-class.ts';
import { serviceAccount } from './pods/service-account.ts';
import { ValidatingAdmissionPolicies } from './policies/validating-admission-policies.ts';
import { resourceQuota } from './quota/resource-quota.ts';
import { WebhookChooser } from './webhooks/choose-webhooks.ts';
import { mutatingAdmissionWebhook } from './webhooks/mutating-webhooks.ts';
import { resolveByEndpoints } from './webhooks/resolve-service.ts';
import { validatingAdmissionWebhook } from './webhooks/validating-webhooks.ts';
import { type CallWebhook, WebhookCaller } from './webhooks/webhook-caller.ts';

export interface AdmissionOptions {
  readonly store: Store;
  readonly registry: Registry;
  /** What expressions of policies ask through `authorizer`. */
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  readonly random: Random;
  /** Where the pods of its nodes are. */
  readonly routes: ClusterRoutes;
  readonly callWebhook?: CallWebhook | undefined;
}

/** What a stock server has switched on, in its order: quotas come last, when nobody can refuse any more. */
export function defaultPlugins(options: AdmissionOptions): readonly Admission[] {
  const { store, registry, authorizer, clock, random, routes, callWebhook } = options;
  const resolveService = resolveByEndpoints(store, routes, random);
  const chooser = new WebhookChooser(store, registry);
  const caller = new WebhookCaller({ store, clock, random, resolveService, callWebhook });
  return [
    namespaceLifecycle(store),
    serviceAccount({ store, clock, random }),
    podSecurity(store),
    podPriority(store),
    defaultTolerations(),
    runtimeClass(store),
    mutatingAdmissionWebhook(store, chooser, caller),
    new ValidatingAdmissionPolicies({ store, registry, authorizer }),
    validatingAdmissionWebhook(store, chooser, caller),
    resourceQuota(store, clock),
  ];
}
