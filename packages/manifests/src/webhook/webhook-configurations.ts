import { fixedNames, labels } from '@liqo/api';
import type { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@liqo/kube';
import type { Values } from '../values.ts';
import { celLabels, forgeHook } from './forge-hook.ts';
import { forgeOwnKindsWebhooks } from './own-kinds-webhooks.ts';

type MutatingWebhook = NonNullable<MutatingWebhookConfiguration['webhooks']>[number];
type ValidatingWebhook = NonNullable<ValidatingWebhookConfiguration['webhooks']>[number];

const metadata = { name: fixedNames.webhook, labels: { [labels.webhook]: 'true' } };

/** Without authorities: the webhooks write their own. */
export function forgeMutatingWebhooks(values: Values): MutatingWebhookConfiguration {
  return {
    metadata,
    webhooks: [
      forgePodWebhook(values, 'pod.mutate.liqo.io', [
        { key: labels.schedulingEnabled, operator: 'In', values: ['true'] },
      ]),
      // The controllers offload such a namespace a moment after it has the label: its first pods may be earlier.
      forgePodWebhook(values, 'enabled.pod.mutate.liqo.io', [
        { key: labels.enabled, operator: 'In', values: ['true'] },
        { key: labels.schedulingEnabled, operator: 'NotIn', values: ['true'] },
      ]),
      forgeShadowPodWebhook(values, 'shadowpod.mutate.liqo.io', '/mutate/shadowpods'),
      ...forgeOwnKindsWebhooks(values, 'mutating'),
    ],
  };
}

/** The same. */
export function forgeValidatingWebhooks(values: Values): ValidatingWebhookConfiguration {
  return {
    metadata,
    webhooks: [
      forgeShadowPodWebhook(values, 'shadowpod.validate.liqo.io', '/validate/shadowpods'),
      ...forgeOwnKindsWebhooks(values, 'validating'),
    ],
  };
}

type Expressions = NonNullable<
  NonNullable<MutatingWebhook['namespaceSelector']>['matchExpressions']
>;

/** Pods of all other namespaces are created without the webhooks, and also while those do not run. */
function forgePodWebhook(
  values: Values,
  name: string,
  matchExpressions: Expressions,
): MutatingWebhook {
  return {
    ...forgeHook(values, name, '/mutate/pod'),
    failurePolicy: values.webhook.failurePolicy,
    reinvocationPolicy: 'IfNeeded',
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

/** Whose pod it is has to be true: without webhooks no ShadowPod is created. Updates that change no label are not asked about. */
function forgeShadowPodWebhook(values: Values, name: string, path: string): ValidatingWebhook {
  const changed = `${celLabels('object')} != ${celLabels('oldObject')}`;
  return {
    ...forgeHook(values, name, path),
    failurePolicy: 'Fail',
    matchConditions: [
      { name: 'labels', expression: `request.operation != 'UPDATE' || ${changed}` },
    ],
    rules: [
      {
        apiGroups: ['offloading.liqo.io'],
        apiVersions: ['v1beta1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['shadowpods'],
        scope: 'Namespaced',
      },
    ],
  };
}
