import type { ValidatingAdmissionPolicyBinding } from '@liqo/kube';
import type { ParamRef } from '../../admission/policies/policy-spec.ts';
import {
  duplicate,
  type FieldProblem,
  forbidden,
  invalid,
  invalidFor,
  notSupported,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import { validateSelector } from '../validation/labels.ts';
import { dnsSubdomainFaults, pathSegmentFaults } from '../validation/names.ts';
import { validateMatchResources } from './validate-match-resources.ts';

export function validatePolicyBinding({
  spec = {},
}: ValidatingAdmissionPolicyBinding): FieldProblem[] {
  const { policyName, paramRef, matchResources, validationActions = [] } = spec;
  return [
    ...(policyName
      ? invalidFor('spec.policyName', policyName, dnsSubdomainFaults(policyName))
      : [required('spec.policyName')]),
    ...(paramRef ? validateParamRef('spec.paramRef', paramRef) : []),
    ...validateMatchResources('spec.matchResources', matchResources),
    ...validateActions('spec.validationActions', validationActions),
  ];
}

function validateParamRef(field: string, ref: ParamRef): FieldProblem[] {
  const { name, selector, parameterNotFoundAction: action } = ref;
  const isAmbiguous = Boolean(name) && selector !== undefined;
  const rule = 'name and selector are mutually exclusive';
  return [
    ...(name ? invalidFor(`${field}.name`, name, pathSegmentFaults(name)) : []),
    ...(isAmbiguous ? [forbidden(`${field}.name`, rule)] : []),
    ...validateSelector(`${field}.selector`, selector),
    ...(isAmbiguous ? [forbidden(`${field}.selector`, rule)] : []),
    ...(!name && !selector ? [required(field, 'one of name or selector must be specified')] : []),
    ...(action
      ? oneOf(`${field}.parameterNotFoundAction`, action, ['Deny', 'Allow'])
      : [required(`${field}.parameterNotFoundAction`)]),
  ];
}

const actions = ['Audit', 'Deny', 'Warn'];

function validateActions(field: string, given: readonly string[]): FieldProblem[] {
  const rule =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  return [
    ...given.flatMap((action, i) => [
      ...(actions.includes(action) ? [] : [notSupported(`${field}[${i}]`, action, actions)]),
      ...(given.indexOf(action) < i ? [duplicate(`${field}[${i}]`, action)] : []),
    ]),
    ...(given.includes('Deny') && given.includes('Warn') ? [invalid(field, given, rule)] : []),
    ...(given.length === 0 ? [required(field, 'at least one validation action is required')] : []),
  ];
}
