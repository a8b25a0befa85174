import { describe } from 'vitest';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { podAdmission } from './pod-admission.ts';
import { podServiceAccounts } from './pod-service-accounts.ts';
import type { GetSubject } from './subject.ts';

/** What the server itself does to objects on their way in. */
export function admission(subject: GetSubject): void {
  describe('admission', () => {
    namespaceLifecycle(subject);
    podServiceAccounts(subject);
    podAdmission(subject);
  });
}
