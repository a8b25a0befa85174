import {
  fixedNames,
  labels,
  NamespaceOffloading,
  Quota,
  ResourceSlice,
  Tenant,
  VirtualNode,
} from '@liqo/api';
import { type Client, type Clock, Namespace, type Random } from '@liqo/kube';
import { inOrder, type Logger, type Stoppable, startInformer } from '@liqo/runtime';
import { WebhookCertificates } from './certificates/webhook-certificates.ts';
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
import { Reviewer } from './server/answer-review.ts';
import { WebhookServer } from './server/webhook-server.ts';

export interface WebhookOptions {
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
  /** Where it listens; all addresses when there is no host. */
  readonly listener: { readonly host?: string; readonly port: number };
}

/** The process that API servers call: one of several replicas, of which all answer. */
export async function startWebhook(options: WebhookOptions): Promise<Stoppable> {
  const { client, clock, random, log, liqoNamespace, listener } = options;
  const parts = { client, clock, random, log };
  const { rules, caches } = startRules(options);
  const server = new WebhookServer({ reviewer: new Reviewer({ rules, clock, log }), ...listener });
  const { webhook, webhookCertificates } = fixedNames;
  const certificates = new WebhookCertificates({
    ...parts,
    secret: { namespace: liqoNamespace, name: webhookCertificates },
    secretLabels: { [labels.webhook]: 'true' },
    configurationName: webhook,
    dnsNames: [`${webhook}.${liqoNamespace}.svc`, `${webhook}.${liqoNamespace}.svc.cluster.local`],
    serve: (generation) => server.show(generation),
  });
  const all = inOrder([server, certificates, ...caches.map(asPart)]);
  try {
    await server.listen();
    return all;
  } catch (error) {
    await all[Symbol.asyncDispose]();
    throw error;
  }
}

/** The rules, and the caches that they decide by. */
function startRules(options: WebhookOptions) {
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
  const caches: readonly Cache[] = [offloadings, namespaces, quotas, tenants, slices, virtualNodes];
  return { rules, caches };
}

type Cache = AsyncDisposable & {
  readonly kind: { readonly plural: string };
  readonly hasSynced: boolean;
};

/** Rules that decide without a complete cache would find no Quota, and no consumer that has authenticated itself. */
function asPart(cache: Cache): Stoppable {
  return {
    whyNotReady: () =>
      cache.hasSynced ? undefined : `waiting for the cache of ${cache.kind.plural}`,
    [Symbol.asyncDispose]: () => cache[Symbol.asyncDispose](),
  };
}
