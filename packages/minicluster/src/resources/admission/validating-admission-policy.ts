import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@liqo/kube';
import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import type { BindingSpec, PolicySpec } from '../../admission/policies/policy-spec.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource, partOf } from '../define-resource.ts';
import { changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, integerColumn, textColumn } from '../printing/columns.ts';
import { defaultMatchResources } from './validate-match-resources.ts';
import { validatePolicy } from './validate-policy.ts';
import { validatePolicyBinding } from './validate-policy-binding.ts';

const unset = '<unset>';

export const validatingAdmissionPolicies = defineResource<ValidatingAdmissionPolicy>({
  kind: ValidatingAdmissionPolicy,
  categories: ['api-extensions'],
  columns: [
    nameColumn,
    integerColumn('Validations', ({ spec }: ValidatingAdmissionPolicy) => {
      return (spec?.validations ?? []).length;
    }),
    textColumn('ParamKind', ({ spec }: ValidatingAdmissionPolicy) => {
      const { paramKind } = spec ?? {};
      return paramKind ? `${paramKind.apiVersion}/${paramKind.kind}` : unset;
    }),
    ageColumn,
  ],
  subresources: { status: partOf(ValidatingAdmissionPolicy) },
  freshStatus: {},
  strategy: {
    withDefaults: (object: ValidatingAdmissionPolicy) =>
      changeIn({ ...object, spec: object.spec ?? {} }, 'spec', (spec: PolicySpec) =>
        changeIn(
          fillIn(spec, { failurePolicy: 'Fail' }),
          'matchConstraints',
          defaultMatchResources,
        ),
      ),
    validate: validatePolicy,
    requiresVersion: true,
  },
});

export const validatingAdmissionPolicyBindings = defineResource<ValidatingAdmissionPolicyBinding>({
  kind: ValidatingAdmissionPolicyBinding,
  categories: ['api-extensions'],
  columns: [
    nameColumn,
    textColumn(
      'PolicyName',
      ({ spec }: ValidatingAdmissionPolicyBinding) => spec?.policyName ?? '',
    ),
    textColumn('ParamRef', ({ spec }: ValidatingAdmissionPolicyBinding) => printParamRef(spec)),
    ageColumn,
  ],
  strategy: {
    withDefaults: (object: ValidatingAdmissionPolicyBinding) =>
      changeIn(object, 'spec', (spec: BindingSpec) =>
        changeIn(spec, 'matchResources', defaultMatchResources),
      ),
    validate: validatePolicyBinding,
    requiresVersion: true,
  },
});

/** Whether parameters are in a namespace cannot be told from the reference. */
function printParamRef({ paramRef }: BindingSpec = {}): string {
  const { name, namespace = '*', selector } = paramRef ?? {};
  if (name) return `${namespace}/${name}`;
  return selector ? printSelector(selector) : unset;
}

/** As Go prints it. */
function printSelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
