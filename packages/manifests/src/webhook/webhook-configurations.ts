import { fixedNames, labels } from '@liqo/api';
import type { MutatingWebhookConfiguration } from '@liqo/kube';
import type { Values } from '../values.ts';

type MutatingWebhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];

/** Of the Service, as in Liqo's chart. */
export const servicePort = 9443;

/** Without authorities: the webhooks write their own. */
export function forgeMutatingWebhooks(values: Values): MutatingWebhookConfiguration {
  return {
    metadata: { name: fixedNames.webhook, labels: { [labels.webhook]: 'true' } },
    webhooks: [
      forgePodWebhook(values, 'pod.mutate.liqo.io', [
        { key: labels.schedulingEnabled, operator: 'In', values: ['true'] },
      ]),
      // The controllers offload such a namespace a moment after it has the label: its first pods may be earlier.
      forgePodWebhook(values, 'enabled.pod.mutate.liqo.io', [
        { key: labels.enabled, operator: 'In', values: ['true'] },
        { key: labels.schedulingEnabled, operator: 'NotIn', values: ['true'] },
      ]),
    ],
  };
}

type Expressions = NonNullable<
  NonNullable<MutatingWebhook['namespaceSelector']>['matchExpressions']
>;

/** Pods of all other namespaces are created without the webhooks, and also while those do not run. */
function forgePodWebhook(
  { namespace, webhook }: Values,
  name: string,
  matchExpressions: Expressions,
): MutatingWebhook {
  return {
    name,
    clientConfig: {
      service: { namespace, name: fixedNames.webhook, port: servicePort, path: '/mutate/pod' },
    },
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    failurePolicy: webhook.failurePolicy,
    matchPolicy: 'Equivalent',
    reinvocationPolicy: 'IfNeeded',
    timeoutSeconds: 5,
    namespaceSelector: { matchExpressions },
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['pods'],
        scope: 'Namespaced',
      },
    ],
  };
}
