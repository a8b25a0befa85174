import type * as authentication from 'kubernetes-types/authentication/v1.d.ts';
import { defineKind } from '../kind.ts';

export type TokenReview = authentication.TokenReview;
export const TokenReview = defineKind<TokenReview>({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  plural: 'tokenreviews',
  scope: 'Cluster',
});
