import { fixedNames } from '@liqo/api';
import { type Client, Deployment, isForbidden, MutatingWebhookConfiguration } from '@liqo/kube';
import { startCommand } from './start-command.ts';

/** No webhook answers when pods are created in offloaded namespaces. */
export interface WebhookFault {
  readonly reason: 'WebhookNotRunning' | 'WebhookNotTrusted';
  readonly why: string;
  /** The command that repairs it, or that shows what is wrong. */
  readonly command: string;
}

export interface WebhookFacts {
  readonly configuration: MutatingWebhookConfiguration | undefined;
  readonly deployment: Deployment | undefined;
}

/** Why the webhooks do not answer; undefined if they do, if none is installed, or without the right to see them. */
export async function whyWebhookFails(
  client: Client,
  signal: AbortSignal,
): Promise<WebhookFault | undefined> {
  const { webhook: name } = fixedNames;
  try {
    const [configuration, deployments] = await Promise.all([
      client.get(MutatingWebhookConfiguration, { name }, signal),
      client.list(Deployment, { fieldSelector: `metadata.name=${name}`, signal }),
    ]);
    return judgeWebhook({ configuration, deployment: deployments.items[0] });
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

export function judgeWebhook({
  configuration,
  deployment,
}: WebhookFacts): WebhookFault | undefined {
  if (!configuration) return undefined;
  const { webhook: name } = fixedNames;
  if (!deployment) {
    const why = `there is no Deployment "${name}" in this cluster, and API servers ask it`;
    return { reason: 'WebhookNotRunning', why, command: 'liqoctl install' };
  }
  const { metadata, status } = deployment;
  if ((status?.readyReplicas ?? 0) === 0) {
    const why = `no pod of the Deployment "${name}" is ready`;
    return { reason: 'WebhookNotRunning', why, command: startCommand(deployment) };
  }
  if (configuration.webhooks?.every(({ clientConfig }) => clientConfig.caBundle)) return undefined;
  const why = `the MutatingWebhookConfiguration "${name}" has no caBundle`;
  const command = `kubectl rollout restart deployment ${name} -n ${metadata?.namespace}`;
  return { reason: 'WebhookNotTrusted', why, command };
}
