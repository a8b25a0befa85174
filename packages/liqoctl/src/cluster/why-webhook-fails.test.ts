import type { Deployment, MutatingWebhookConfiguration } from '@liqo/kube';
import { expect, test } from 'vitest';
import { judgeWebhook } from './why-webhook-fails.ts';

function configuration(caBundle?: string): MutatingWebhookConfiguration {
  const clientConfig = { ...(caBundle && { caBundle }) };
  return {
    webhooks: [{ name: 'a', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] }],
  } as MutatingWebhookConfiguration;
}

function deployment(readyReplicas: number, replicas = 2): Deployment {
  return {
    metadata: { name: 'liqo-webhook', namespace: 'here' },
    spec: { replicas, selector: { matchLabels: { app: 'webhook' } } },
    status: { readyReplicas },
  } as unknown as Deployment;
}

test.each([
  ['is content without webhooks', undefined, undefined, undefined],
  ['is content with one ready pod', configuration('x'), deployment(1), undefined],
  ['has them installed', configuration('x'), undefined, 'liqoctl install'],
  [
    'shows pods that are not ready',
    configuration('x'),
    deployment(0),
    'kubectl describe pods -n here -l app=webhook',
  ],
  [
    'starts what was scaled down',
    configuration('x'),
    deployment(0, 0),
    'kubectl scale deployment liqo-webhook -n here --replicas=1',
  ],
  [
    'has a missing authority written again',
    configuration(),
    deployment(2),
    'kubectl rollout restart deployment liqo-webhook -n here',
  ],
])('judgeWebhook() %s', (_, found, ofWebhook, command) => {
  expect(judgeWebhook({ configuration: found, deployment: ofWebhook })?.command).toBe(command);
});
