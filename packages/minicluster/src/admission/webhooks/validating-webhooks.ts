import { internalError } from '../../rest/refusal.ts';
import type { Store } from '../../store/store.ts';
import type { Admission } from '../admission.ts';
import { isExempt, type WebhookChooser } from './choose-webhooks.ts';
import { validatingWebhooks } from './webhook.ts';
import type { WebhookCaller } from './webhook-caller.ts';
import { WebhookCallError } from './webhook-error.ts';

/** Webhooks that only judge: all at once. Everybody is heard, and the first who refuses is quoted. */
export function validatingAdmissionWebhook(
  store: Store,
  chooser: WebhookChooser,
  caller: WebhookCaller,
): Admission {
  return {
    name: 'ValidatingAdmissionWebhook',
    async validate(attributes) {
      if (isExempt(attributes)) return;
      const chosen = validatingWebhooks(store).flatMap((hook) => {
        const target = chooser.targetOf(hook, attributes);
        return target ? [{ hook, target }] : [];
      });
      const verdicts = await Promise.allSettled(
        chosen.map(({ hook, target }) => caller.consult(hook, attributes, target, false)),
      );
      for (const verdict of verdicts) {
        if (verdict.status === 'fulfilled') continue;
        const error: unknown = verdict.reason;
        throw error instanceof WebhookCallError ? internalError(error) : error;
      }
    },
  };
}
