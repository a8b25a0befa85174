import type { SelfSubjectRulesReview } from 'kubernetes-types/authorization/v1.d.ts';
import { badRequest } from '../../rest/refusal.ts';
import { joinErrors } from '../join-errors.ts';
import { nodeNameOf } from '../nodes/node-authorizer.ts';
import type { RbacAuthorizer } from '../rbac/rbac-authorizer.ts';
import type { User } from '../user.ts';
import type { ReviewHandler } from './review-handler.ts';

/** What may I do here? `kubectl auth can-i --list`. Whatever was sent, the answer is a new object. */
export function reviewRules(rbac: RbacAuthorizer): ReviewHandler {
  return (object, { user }) => {
    const namespace = (object as SelfSubjectRulesReview).spec?.namespace;
    if (!namespace) throw badRequest('no namespace on request');
    const review = {
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: rulesOf(rbac, user, namespace),
    };
    return review;
  };
}

function rulesOf(rbac: RbacAuthorizer, user: User, namespace: string): object {
  const { rules, errors } = rbac.rulesFor(user, namespace);
  const isNode = nodeNameOf(user) !== undefined;
  const faults = isNode
    ? ['node authorizer does not support user rule resolution', ...errors]
    : errors;
  return {
    resourceRules: rules
      .filter(({ resources = [] }) => resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        apiGroups,
        resources,
        ...(resourceNames && { resourceNames }),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs = [] }) => nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
    incomplete: isNode,
    ...(faults.length > 0 && { evaluationError: joinErrors(faults) }),
  };
}
