import { fixedNames, labels } from '@liqo/api';
import { inOrder, type Stoppable } from '@liqo/runtime';
import { WebhookCertificates } from './certificates/webhook-certificates.ts';
import { WebhookServer } from './server/webhook-server.ts';
import { startReviewer } from './start-reviewer.ts';
import type { RulesOptions } from './start-rules.ts';

export interface WebhookOptions extends RulesOptions {
  /** Where it listens; all addresses when there is no host. */
  readonly listener: { readonly host?: string; readonly port: number };
}

/** The process that API servers call: one of several replicas, of which all answer. */
export async function startWebhook(options: WebhookOptions): Promise<Stoppable> {
  const { client, clock, random, log, liqoNamespace, listener } = options;
  const parts = { client, clock, random, log };
  const { reviewer, caches } = startReviewer(options);
  const server = new WebhookServer({ reviewer, ...listener });
  const { webhook, webhookCertificates } = fixedNames;
  const certificates = new WebhookCertificates({
    ...parts,
    secret: { namespace: liqoNamespace, name: webhookCertificates },
    secretLabels: { [labels.webhook]: 'true' },
    configurationName: webhook,
    dnsNames: [`${webhook}.${liqoNamespace}.svc`, `${webhook}.${liqoNamespace}.svc.cluster.local`],
    serve: (generation) => server.show(generation),
  });
  const all = inOrder([server, certificates, ...caches]);
  try {
    await server.listen();
    return all;
  } catch (error) {
    await all[Symbol.asyncDispose]();
    throw error;
  }
}
