import { labels, ShadowPod } from '@liqo/api';
import {
  apiVersionOf,
  type Client,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { startWebhookServer, type WebhookServer } from '../conformance/webhook-server.ts';
import { eventually } from '../eventually.ts';
import { LiqoShadowPodController } from './liqo-shadow-pod-controller.ts';
import { LiqoShadowPodWebhook } from './liqo-shadow-pod-webhook.ts';

/**
 * The provider's side of ShadowPods as Liqo v1.2 has it: its webhooks, and its controller, which makes pods for as long as
 * a ShadowPod is there and puts no finalizer on it.
 */
export interface LiqoProvider extends AsyncDisposable {
  readonly controller: Pick<LiqoShadowPodController, 'madePods'>;
  readonly webhook: Pick<LiqoShadowPodWebhook, 'denials' | 'denyCreates'>;
}

/** The cluster must serve ShadowPods. */
export async function startLiqoProvider(client: Client): Promise<LiqoProvider> {
  const server = await startWebhookServer();
  const webhook = new LiqoShadowPodWebhook(client);
  server.answer(paths.mutate, (request) => webhook.mutate(request));
  server.answer(paths.validate, (request) => webhook.validate(request));
  await installWebhooks(client, server);
  webhook.denials.length = 0;
  const controller = new LiqoShadowPodController(client);
  return {
    controller,
    webhook,
    async [Symbol.asyncDispose]() {
      await controller[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

const paths = { mutate: '/mutate/shadowpods', validate: '/validate/shadowpods' };

async function installWebhooks(client: Client, server: WebhookServer): Promise<void> {
  const metadata = { name: 'liqo' };
  const mutating = forgeWebhook(server, 'shadowpod.mutate.liqo.io', paths.mutate);
  await client.create(MutatingWebhookConfiguration, { metadata, webhooks: [mutating] });
  const validating = forgeWebhook(server, 'shadowpod.validate.liqo.io', paths.validate);
  await client.create(ValidatingWebhookConfiguration, { metadata, webhooks: [validating] });
  await eventually(async () => {
    await createTrial(client).catch(() => undefined);
    if (server.asked(paths.validate).length === 0)
      throw new Error('The webhooks are not asked yet');
  });
}

/** Without effect. */
function createTrial(client: Client): Promise<unknown> {
  const trial = {
    apiVersion: apiVersionOf(ShadowPod),
    kind: ShadowPod.kind,
    metadata: { namespace: 'default', name: 'trial', labels: { [labels.origin]: 'nowhere' } },
    spec: { pod: { containers: [{ name: 'main', image: 'i' }] } },
  };
  return client.create(ShadowPod, trial, { dryRun: true });
}

function forgeWebhook({ url, caBundle }: WebhookServer, name: string, path: string) {
  return {
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None' as const,
    clientConfig: { url: url + path, caBundle },
    rules: [
      {
        apiGroups: [ShadowPod.group],
        apiVersions: ['*'],
        resources: [ShadowPod.plural],
        operations: ['CREATE' as const, 'UPDATE' as const, 'DELETE' as const],
      },
    ],
  };
}
