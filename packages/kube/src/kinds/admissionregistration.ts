import type * as admissionregistration from 'kubernetes-types/admissionregistration/v1.d.ts';
import { defineKind } from '../kind.ts';

declare module 'kubernetes-types/admissionregistration/v1.d.ts' {
  // What the published types leave out.
  interface NamedRuleWithOperations {
    resources?: Array<string>;
    scope?: string;
  }
  interface RuleWithOperations {
    resources?: Array<string>;
    scope?: string;
  }
}

export type MutatingWebhookConfiguration = admissionregistration.MutatingWebhookConfiguration;
export const MutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  scope: 'Cluster',
});

export type ValidatingAdmissionPolicy = admissionregistration.ValidatingAdmissionPolicy;
export const ValidatingAdmissionPolicy = defineKind<ValidatingAdmissionPolicy>({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  plural: 'validatingadmissionpolicies',
  scope: 'Cluster',
});

export type ValidatingAdmissionPolicyBinding =
  admissionregistration.ValidatingAdmissionPolicyBinding;
export const ValidatingAdmissionPolicyBinding = defineKind<ValidatingAdmissionPolicyBinding>({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  plural: 'validatingadmissionpolicybindings',
  scope: 'Cluster',
});

export type ValidatingWebhookConfiguration = admissionregistration.ValidatingWebhookConfiguration;
export const ValidatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  plural: 'validatingwebhookconfigurations',
  scope: 'Cluster',
});
