import { forbidden } from '../../rest/refusal.ts';
import type { Registry } from '../../rest/registry.ts';
import type { Resource } from '../../rest/resource.ts';
import type { Store } from '../../store/store.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { forgeRequest } from './admission-review.ts';
import { MatchConditions } from './match-conditions.ts';
import { reviewTarget } from './review-target.ts';
import { selectsNamespace, selectsObject } from './selects-request.ts';
import type { Webhook } from './webhook.ts';

const configurations: readonly string[] = [
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
];

/** Decides which webhooks a request concerns. */
export class WebhookChooser {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #conditions = new MatchConditions();

  constructor(store: Store, registry: Registry) {
    this.#store = store;
    this.#registry = registry;
  }

  /** The form in which the webhook is to see the object; undefined when it is not to be called. */
  targetOf(hook: Webhook, attributes: AdmissionAttributes): Resource | undefined {
    const target = reviewTarget(hook, attributes, this.#registry);
    if (!target || !selectsNamespace(hook, attributes, this.#store)) return undefined;
    if (!selectsObject(hook, attributes)) return undefined;
    return this.#meetsConditions(hook, attributes, target) ? target : undefined;
  }

  #meetsConditions(hook: Webhook, attributes: AdmissionAttributes, target: Resource): boolean {
    if (!hook.matchConditions?.length) return true;
    const verdict = this.#conditions.evaluate(hook, forgeRequest(attributes, target, ''));
    if ('matches' in verdict) return verdict.matches;
    if (hook.failurePolicy === 'Ignore') return false;
    throw forbidden(attributes.resource, attributes.name, verdict.error);
  }
}

/** Nobody can lock himself out: webhooks have no say about webhooks. */
export function isExempt({ resource }: AdmissionAttributes): boolean {
  return (
    resource.group === 'admissionregistration.k8s.io' && configurations.includes(resource.plural)
  );
}
