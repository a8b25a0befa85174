import { fixedNames, labels, NamespaceOffloading } from '@liqo/api';
import type { Client, Clock, Random } from '@liqo/kube';
import { inOrder, type Logger, type Stoppable, startInformer } from '@liqo/runtime';
import { WebhookCertificates } from './certificates/webhook-certificates.ts';
import { podRule } from './rules/pods/mutate-pod.ts';
import { Reviewer } from './server/answer-review.ts';
import { WebhookServer } from './server/webhook-server.ts';

export interface WebhookOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  /** Where this is installed. */
  readonly liqoNamespace: string;
  /** Where it listens; all addresses when there is no host. */
  readonly listener: { readonly host?: string; readonly port: number };
}

/** The process that API servers call: one of several replicas, of which all answer. */
export async function startWebhook(options: WebhookOptions): Promise<Stoppable> {
  const { client, clock, random, log, liqoNamespace, listener } = options;
  const parts = { client, clock, random, log };
  const offloadings = startInformer({ ...parts, kind: NamespaceOffloading });
  const rules = [podRule({ client, offloadings })];
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
  const all = inOrder([server, certificates, offloadings]);
  try {
    await server.listen();
    return all;
  } catch (error) {
    await all[Symbol.asyncDispose]();
    throw error;
  }
}
