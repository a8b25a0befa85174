import type {
  Client,
  Kind,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import type { Informer, ReconcileContext } from '@liqo/runtime';
import type { Generation } from './generation.ts';

type WebhookConfiguration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

interface Trusted {
  readonly client: Client;
  readonly generations: readonly Generation[];
}

/** Makes the webhooks of all these configurations trust the authorities of the generations, and no others. */
export async function trustAuthorities<C extends WebhookConfiguration>(
  configurations: Informer<C>,
  kind: Kind<C>,
  { client, generations }: Trusted,
  { signal, log, wrote }: ReconcileContext,
): Promise<void> {
  const pem = generations.map(({ authority }) => authority).join('');
  const caBundle = Buffer.from(pem).toString('base64');
  for (const configuration of configurations.list()) {
    const { metadata, webhooks = [] } = configuration;
    if (webhooks.every(({ clientConfig }) => clientConfig.caBundle === caBundle)) continue;
    const trusting = webhooks.map((webhook) => ({
      ...webhook,
      clientConfig: { ...webhook.clientConfig, caBundle },
    }));
    const changed = { ...configuration, webhooks: trusting };
    wrote(configurations, await client.update(kind, changed, signal));
    log.info('Wrote the authorities into webhooks', { kind: kind.kind, name: metadata.name });
  }
}
