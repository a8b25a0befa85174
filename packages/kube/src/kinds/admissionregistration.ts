import type * as admissionregistration from 'kubernetes-types/admissionregistration/v1.d.ts';
import { defineKind } from '../kind.ts';

export type MutatingWebhookConfiguration = admissionregistration.MutatingWebhookConfiguration;
export const MutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  scope: 'Cluster',
});

export type ValidatingWebhookConfiguration = admissionregistration.ValidatingWebhookConfiguration;
export const ValidatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  scope: 'Cluster',
});
