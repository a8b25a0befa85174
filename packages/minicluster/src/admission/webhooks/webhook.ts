import {
  MutatingWebhookConfiguration,
  type Stored,
  ValidatingWebhookConfiguration,
} from '@liqo/kube';
import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
} from 'kubernetes-types/admissionregistration/v1.d.ts';
import type { Store } from '../../store/store.ts';
import { readAll } from '../read-store.ts';

/** A webhook with what the published type forgets, and a name that is its own among those of all configurations. */
export interface Webhook extends Omit<ValidatingWebhook, 'rules'> {
  readonly id: string;
  readonly rules?: readonly RuleWithOperations[];
  readonly reinvocationPolicy?: MutatingWebhook['reinvocationPolicy'];
}

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

/** In the order in which they are called: by the names of their configurations, and as they stand in those. */
export function mutatingWebhooks(store: Store): readonly Webhook[] {
  return readAll(store, MutatingWebhookConfiguration).flatMap(webhooksOf);
}

export function validatingWebhooks(store: Store): readonly Webhook[] {
  return readAll(store, ValidatingWebhookConfiguration).flatMap(webhooksOf);
}

function webhooksOf({ metadata, webhooks = [] }: Stored<Configuration>): readonly Webhook[] {
  return webhooks.map((hook: ValidatingWebhook) => {
    return { ...(hook as Omit<Webhook, 'id'>), id: `${metadata.name}/${hook.name}` };
  });
}
