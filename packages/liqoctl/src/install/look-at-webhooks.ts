import { fixedNames, ShadowPod } from '@liqo/api';
import { ApiError, type Client, Deployment } from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';

/**
 * Whether the API server reaches the webhooks: it asks them about a ShadowPod that is not stored. Whatever they say of it, they
 * have answered.
 */
export async function lookAtWebhooks(
  client: Client,
  namespace: string,
  signal: AbortSignal,
): Promise<Look<true>> {
  const key = { namespace, name: fixedNames.webhook };
  const { spec } = (await client.get(Deployment, key, signal)) ?? {};
  if (spec?.replicas === 0) return { done: true };
  const containers = [{ name: 'probe', image: 'probe' }];
  const probe = { metadata: { name: 'probe', namespace }, spec: { pod: { containers } } };
  try {
    await client.create(ShadowPod, probe, { dryRun: true, signal });
    return { done: true };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const isUnreached = error.message.includes('failed calling webhook');
    return isUnreached ? { notYet: error.message } : { done: true };
  }
}
