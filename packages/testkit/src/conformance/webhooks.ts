import { afterAll, beforeAll, describe } from 'vitest';
import type { GetSubject } from './subject.ts';
import { webhookFailures } from './webhook-failures.ts';
import { mutatingWebhooks } from './webhook-mutations.ts';
import { webhookSelection } from './webhook-selection.ts';
import { startWebhookServer, type WebhookServer } from './webhook-server.ts';
import { validatingWebhooks } from './webhook-verdicts.ts';

/** Admission webhooks: who is asked, what about, and what becomes of the answer. */
export function webhooks(subject: GetSubject): void {
  describe('admission webhooks', () => {
    let server: WebhookServer;
    beforeAll(async () => {
      server = await startWebhookServer();
    });
    afterAll(() => server?.[Symbol.asyncDispose]());
    mutatingWebhooks(subject, () => server);
    validatingWebhooks(subject, () => server);
    webhookSelection(subject, () => server);
    webhookFailures(subject, () => server);
  });
}
