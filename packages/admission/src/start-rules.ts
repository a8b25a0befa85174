import { labels, NamespaceOffloading, Quota, ResourceSlice, Tenant, VirtualNode } from '@liqo/api';
import { type Client, type Clock, Namespace, type Random } from '@liqo/kube';
import { type Logger, startInformer } from '@liqo/runtime';
import type { Rule } from './rule.ts';
import { type Facts, factOf } from './rules/facts.ts';
import { foreignClusterLabelRule } from './rules/foreign-clusters/mutate-foreign-cluster.ts';
import { foreignClusterRule } from './rules/foreign-clusters/validate-foreign-cluster.ts';
import { namespaceOffloadingRule } from './rules/namespace-offloadings/validate-namespace-offloading.ts';
import { podRule } from './rules/pods/mutate-pod.ts';
import { sliceRule } from './rules/resource-slices/validate-resource-slice.ts';
import { ConsumerFacts } from './rules/shadow-pods/consumer-facts.ts';
import { creatorRule } from './rules/shadow-pods/mutate-shadow-pod.ts';
import { shadowPodRule } from './rules/shadow-pods/validate-shadow-pod.ts';
import { tenantLabelRule } from './rules/tenants/mutate-tenant.ts';
import { tenantRule } from './rules/tenants/validate-tenant.ts';
import { virtualNodeRule } from './rules/virtual-nodes/validate-virtual-node.ts';

export interface RulesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** The ID of this cluster. */
  readonly clusterID: string;
  /** Where this is installed. */
  readonly liqoNamespace: string;
  /** Whether ShadowPods that no Quota can take are refused. */
  readonly enforceQuotas: boolean;
}

/** The rules, and the caches that they decide by. */
export function startRules(options: RulesOptions) {
  const { client, clock, random, log, clusterID, liqoNamespace, enforceQuotas } = options;
  const parts = { client, clock, random, log };
  const selection = { labelSelector: labels.remoteClusterID };
  const offloadings = startInformer({ ...parts, kind: NamespaceOffloading });
  const namespaces = startInformer({ ...parts, kind: Namespace, selection });
  const quotas = startInformer({ ...parts, kind: Quota });
  const tenants = startInformer({ ...parts, kind: Tenant });
  const slices = startInformer({ ...parts, kind: ResourceSlice });
  const virtualNodes = startInformer({ ...parts, kind: VirtualNode });
  const facts: Facts = {
    namespaces: factOf(client, namespaces, selection),
    slices: factOf(client, slices),
    tenants: factOf(client, tenants),
    virtualNodes: factOf(client, virtualNodes),
  };
  const consumers = new ConsumerFacts({ client, namespaces, quotas, tenants });
  const own = { ownClusterID: clusterID };
  const rules: readonly Rule[] = [
    podRule({ client, offloadings }),
    creatorRule,
    shadowPodRule({ consumers, enforceQuotas }),
    foreignClusterLabelRule,
    foreignClusterRule(own),
    namespaceOffloadingRule(own),
    tenantLabelRule,
    tenantRule({ ...own, facts }),
    sliceRule({ ...own, client, facts }),
    virtualNodeRule({ client, liqoNamespace, facts }),
  ];
  const caches = [offloadings, namespaces, quotas, tenants, slices, virtualNodes];
  return { rules, caches };
}
