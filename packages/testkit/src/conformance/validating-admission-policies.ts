import { describe } from 'vitest';
import { policyEvaluation } from './policy-evaluation.ts';
import { policyKinds } from './policy-kinds.ts';
import { policyParameters } from './policy-parameters.ts';
import { policyPatterns } from './policy-patterns.ts';
import { policySelection } from './policy-selection.ts';
import { policySubresources } from './policy-subresources.ts';
import { policyVerdicts } from './policy-verdicts.ts';
import type { GetSubjectWithUsers } from './subject.ts';

/** ValidatingAdmissionPolicies: which requests they match, what their expressions see, and what a failure does. */
export function validatingAdmissionPolicies(subject: GetSubjectWithUsers): void {
  describe('validating admission policies', () => {
    policyKinds(subject);
    policyVerdicts(subject);
    policySelection(subject);
    policyEvaluation(subject);
    policyParameters(subject);
    policySubresources(subject);
    policyPatterns(subject);
  });
}
