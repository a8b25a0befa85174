import { labels } from '@liqo/api';
import type { KubeObject } from '@liqo/kube';
import { skippableKinds } from '../webhook/own-kinds-webhooks.ts';
import { forgePolicy } from './forge-policy.ts';

const skips = (object: string) =>
  `(has(${object}.metadata.labels) && '${labels.webhookSkip}' in ${object}.metadata.labels && ${object}.metadata.labels['${labels.webhookSkip}'] == 'true')`;

const changesWebhooks =
  "authorizer.group('admissionregistration.k8s.io').resource('validatingwebhookconfigurations').check('update').allowed()";

/** Only users who could change the webhooks get around them: a consumer, or the user that it peers with, does not. */
export function forgeWebhookSkipPolicy(): readonly KubeObject[] {
  const groups = new Map<string, string[]>();
  for (const { group, plural } of skippableKinds) {
    groups.set(group, [...(groups.get(group) ?? []), plural]);
  }
  const [[apiGroup, resources] = ['', []], ...further] = groups;
  return forgePolicy({
    name: 'liqo-webhook-skip',
    apiGroup,
    resources,
    further: Object.fromEntries(further),
    operations: ['CREATE', 'UPDATE'],
    requirements: [
      {
        expression: `!${skips('object')} || (oldObject != null && ${skips('oldObject')}) || ${changesWebhooks}`,
        message: `only users who may update ValidatingWebhookConfigurations set the label ${labels.webhookSkip}=true`,
      },
    ],
  });
}
