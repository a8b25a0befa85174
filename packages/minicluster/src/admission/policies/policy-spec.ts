import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@liqo/kube';

export type PolicySpec = NonNullable<ValidatingAdmissionPolicy['spec']>;
export type BindingSpec = NonNullable<ValidatingAdmissionPolicyBinding['spec']>;
export type MatchResources = NonNullable<PolicySpec['matchConstraints']>;
export type ParamKind = NonNullable<PolicySpec['paramKind']>;
export type ParamRef = NonNullable<BindingSpec['paramRef']>;
export type NamedRule = NonNullable<MatchResources['resourceRules']>[number];
