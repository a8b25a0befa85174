import {
  type Client,
  type Kind,
  Lease,
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { freshNamespace, type Subject } from './subject.ts';
import type { WebhookServer } from './webhook-server.ts';

type MutatingWebhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

/** What a test says about a webhook; everything else is filled in. The name is also its path on the server. */
export interface Hook extends Omit<Partial<MutatingWebhook>, 'rules'> {
  readonly path: string;
  readonly resources?: readonly string[];
  readonly groups?: readonly string[];
  readonly operations?: readonly string[];
  readonly scope?: string;
}

export interface Installation {
  readonly client: Client;
  readonly server: WebhookServer;
  readonly namespace: string;
  readonly kind: 'mutating' | 'validating';
  /** Decides the order of mutating configurations. */
  readonly name?: string;
}

/** Webhooks for a namespace of the test's own. */
export interface WebhookWorld extends AsyncDisposable {
  readonly client: Client;
  readonly server: WebhookServer;
  readonly namespace: string;
}

export async function startWebhookWorld(
  subject: Subject,
  server: WebhookServer,
  kind: Installation['kind'],
  hooks: readonly Hook[],
): Promise<WebhookWorld> {
  const { client } = subject;
  const namespace = await freshNamespace(subject);
  const installed = await installWebhooks({ client, server, namespace, kind }, hooks);
  return {
    client,
    server,
    namespace,
    [Symbol.asyncDispose]: () => installed[Symbol.asyncDispose](),
  };
}

/** Configures webhooks for one namespace and waits until the server knows of them. */
export async function installWebhooks(
  installation: Installation,
  hooks: readonly Hook[],
): Promise<AsyncDisposable> {
  const { client, server, namespace, kind, name = 'test' } = installation;
  const Configuration: Kind<MutatingWebhookConfiguration> =
    kind === 'mutating'
      ? MutatingWebhookConfiguration
      : (ValidatingWebhookConfiguration as Kind as Kind<MutatingWebhookConfiguration>);
  const metadata = { name: `${name}-${namespace}` };
  const probe = {
    path: `/probe-${kind}-${name}`,
    groups: ['coordination.k8s.io'],
    resources: ['leases'],
    operations: ['CREATE'],
  };
  const webhooks = [...hooks, probe].map((hook) => forgeWebhook(installation, hook));
  await client.create(Configuration, { metadata, webhooks });
  const seen = server.asked(probe.path).length;
  await eventually(async () => {
    await client.create(Lease, { metadata: { namespace, name: 'probe' } }, { dryRun: true });
    expect(server.asked(probe.path).length).toBeGreaterThan(seen);
  });
  return {
    async [Symbol.asyncDispose]() {
      await client.delete(Configuration, metadata);
    },
  };
}

function forgeWebhook({ server, namespace }: Installation, hook: Hook): MutatingWebhook {
  const { path, resources = ['configmaps'], operations = ['*'], groups = [''], ...rest } = hook;
  const { scope = '*', ...settings } = rest;
  const rule = { apiGroups: groups, apiVersions: ['*'], operations, resources, scope };
  return {
    name: `${path.slice(1)}.example.org`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url: server.url + path, caBundle: server.caBundle },
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    ...settings,
    rules: [rule],
  } as unknown as MutatingWebhook;
}
