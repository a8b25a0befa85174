import type * as authorization from 'kubernetes-types/authorization/v1.d.ts';
import { defineKind } from '../kind.ts';

export type SubjectAccessReview = authorization.SubjectAccessReview;
export const SubjectAccessReview = defineKind<SubjectAccessReview>({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  scope: 'Cluster',
});

export type SelfSubjectAccessReview = authorization.SelfSubjectAccessReview;
export const SelfSubjectAccessReview = defineKind<SelfSubjectAccessReview>({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
});
