import { accessReviews } from './access-reviews.ts';
import { escalation } from './escalation.ts';
import { kubeletRights } from './kubelet-rights.ts';
import { policyRules } from './policy-rules.ts';
import { stockRoles } from './stock-roles.ts';
import type { GetSubjectWithUsers } from './subject.ts';

/** RBAC, its stock roles, aggregation and escalation checks; what kubelets may do; the reviews. */
export function authorization(subject: GetSubjectWithUsers): void {
  policyRules(subject);
  accessReviews(subject);
  stockRoles(subject);
  escalation(subject);
  kubeletRights(subject);
}
