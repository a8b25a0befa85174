import { fixedNames, labels, NamespaceOffloading, Quota, Tenant } from '@liqo/api';
import { type Client, type Clock, Namespace, type Random } from '@liqo/kube';
import { inOrder, type Logger, type Stoppable, startInformer } from '@liqo/runtime';
import { WebhookCertificates } from './certificates/webhook-certificates.ts';
import { podRule } from './rules/pods/mutate-pod.ts';
import { ConsumerFacts } from './rules/shadow-pods/consumer-facts.ts';
import { creatorRule } from './rules/shadow-pods/mutate-shadow-pod.ts';
import { shadowPodRule } from './rules/shadow-pods/validate-shadow-pod.ts';
import { Reviewer } from './server/answer-review.ts';
import { WebhookServer } from './server/webhook-server.ts';

export interface WebhookOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Where this is installed. */
  readonly liqoNamespace: string;
  /** Whether ShadowPods that no Quota can take are refused. */
  readonly enforceQuotas: boolean;
  /** Where it listens; all addresses when there is no host. */
  readonly listener: { readonly host?: string; readonly port: number };
}

/** The process that API servers call: one of several replicas, of which all answer. */
export async function startWebhook(options: WebhookOptions): Promise<Stoppable> {
  const { client, clock, random, log, liqoNamespace, enforceQuotas, listener } = options;
  const parts = { client, clock, random, log };
  const offloadings = startInformer({ ...parts, kind: NamespaceOffloading });
  const selection = { labelSelector: labels.remoteClusterID };
  const namespaces = startInformer({ ...parts, kind: Namespace, selection });
  const quotas = startInformer({ ...parts, kind: Quota });
  const tenants = startInformer({ ...parts, kind: Tenant });
  const consumers = new ConsumerFacts({ client, namespaces, quotas, tenants });
  const rules = [
    podRule({ client, offloadings }),
    creatorRule,
    shadowPodRule({ consumers, enforceQuotas }),
  ];
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
  const caches = [offloadings, namespaces, quotas, tenants];
  const all = inOrder([server, certificates, ...caches.map(asPart)]);
  try {
    await server.listen();
    return all;
  } catch (error) {
    await all[Symbol.asyncDispose]();
    throw error;
  }
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
