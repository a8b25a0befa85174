import { defineKind, type KubeObject } from '@liqo/kube';
import { defineResource, type ResourceDefinition } from '../define-resource.ts';

/** Questions: asked by creating them, answered in their status, and never kept. */

function review(apiVersion: string, kind: string, scope: 'Cluster' | 'Namespaced' = 'Cluster') {
  const plural = `${kind.toLowerCase()}s`;
  return defineResource<KubeObject>({
    kind: defineKind({ apiVersion, kind, plural, scope }),
    verbs: ['create'],
    strategy: { generation: 'none' },
  });
}

export const reviews: readonly ResourceDefinition[] = [
  review('authentication.k8s.io/v1', 'SelfSubjectReview'),
  review('authentication.k8s.io/v1', 'TokenReview'),
  review('authorization.k8s.io/v1', 'LocalSubjectAccessReview', 'Namespaced'),
  review('authorization.k8s.io/v1', 'SelfSubjectAccessReview'),
  review('authorization.k8s.io/v1', 'SelfSubjectRulesReview'),
  review('authorization.k8s.io/v1', 'SubjectAccessReview'),
];
