import { parseApiVersion, type ValidatingAdmissionPolicy } from '@liqo/kube';
import { PolicyChecker } from '../../admission/policies/policy-checker.ts';
import type { ParamKind, PolicySpec } from '../../admission/policies/policy-spec.ts';
import {
  duplicate,
  type FieldProblem,
  invalid,
  invalidFor,
  oneOf,
  required,
} from '../validation/field-problem.ts';
import {
  dnsSubdomainFaults,
  qualifiedNameFaults,
  rfc1035LabelFaults,
} from '../validation/names.ts';
import { validateMatchResources } from './validate-match-resources.ts';

type List<K extends keyof PolicySpec> = NonNullable<PolicySpec[K]>;
type Validation = List<'validations'>[number];
type Variable = List<'variables'>[number];
type MatchCondition = List<'matchConditions'>[number];
type AuditAnnotation = List<'auditAnnotations'>[number];

export function validatePolicy({ metadata, spec = {} }: ValidatingAdmissionPolicy): FieldProblem[] {
  const checker = new PolicyChecker(spec);
  const { failurePolicy, paramKind, matchConstraints } = spec;
  return [
    ...(failurePolicy ? oneOf('spec.failurePolicy', failurePolicy, ['Fail', 'Ignore']) : []),
    ...(paramKind ? validateParamKind('spec.paramKind', paramKind) : []),
    ...validateConstraints('spec.matchConstraints', matchConstraints),
    ...validateConditions('spec.matchConditions', spec.matchConditions ?? [], checker),
    ...(spec.variables ?? []).flatMap((variable, i) =>
      validateVariable(`spec.variables[${i}]`, variable, checker),
    ),
    ...validateContent(metadata?.name ?? '', spec, checker),
  ];
}

function validateParamKind(
  field: string,
  { apiVersion = '', kind = '' }: ParamKind,
): FieldProblem[] {
  return [
    ...validateApiVersion(`${field}.apiVersion`, apiVersion),
    ...(kind ? validateKind(`${field}.kind`, kind) : [required(`${field}.kind`)]),
  ];
}

function validateApiVersion(field: string, apiVersion: string): FieldProblem[] {
  if (!apiVersion) return [required(field)];
  if (apiVersion.split('/').length > 2) {
    return [invalid(field, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  }
  const { group, version } = parseApiVersion(apiVersion);
  const groupFaults = group ? dnsSubdomainFaults(group) : [];
  const versionFaults = rfc1035LabelFaults(version);
  return [
    ...(groupFaults.length > 0 ? [invalid(field, group, groupFaults.join(','))] : []),
    ...(version === '' ? [invalid(field, apiVersion, 'version must be specified')] : []),
    ...(version !== '' && versionFaults.length > 0
      ? [invalid(field, version, versionFaults.join(','))]
      : []),
  ];
}

function validateKind(field: string, kind: string): FieldProblem[] {
  const faults = rfc1035LabelFaults(kind.toLowerCase());
  if (faults.length === 0) return [];
  const rule = `may have mixed case, but should otherwise match: ${faults.join(',')}`;
  return [invalid(field, kind, rule)];
}

function validateConstraints(
  field: string,
  constraints: PolicySpec['matchConstraints'],
): FieldProblem[] {
  if (!constraints) return [required(field)];
  const hasRules = (constraints.resourceRules ?? []).length > 0;
  return [
    ...validateMatchResources(field, constraints),
    ...(hasRules ? [] : [required(`${field}.resourceRules`)]),
  ];
}

const maxConditions = 64;

function validateConditions(
  field: string,
  conditions: readonly MatchCondition[],
  checker: PolicyChecker,
): FieldProblem[] {
  const names = conditions.map(({ name }) => name);
  const message = `Too many: ${conditions.length}: must have at most ${maxConditions} items`;
  return [
    ...(conditions.length > maxConditions
      ? [{ field, reason: 'FieldValueTooMany' as const, message }]
      : []),
    ...conditions.flatMap((condition, i) => [
      ...validateCondition(`${field}[${i}]`, condition, checker),
      ...(condition.name && names.indexOf(condition.name) < i
        ? [duplicate(`${field}[${i}].name`, condition.name)]
        : []),
    ]),
  ];
}

function validateCondition(
  field: string,
  { name, expression = '' }: MatchCondition,
  checker: PolicyChecker,
): FieldProblem[] {
  const text = expression.trim();
  return [
    ...(text
      ? expressionProblem(`${field}.expression`, text, checker.matchCondition(text))
      : [required(`${field}.expression`)]),
    ...(name
      ? invalidFor(`${field}.name`, name, qualifiedNameFaults(name))
      : [required(`${field}.name`)]),
  ];
}

function expressionProblem(
  field: string,
  expression: string,
  problem: string | undefined,
): FieldProblem[] {
  return problem === undefined ? [] : [invalid(field, expression, problem)];
}

const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

function validateVariable(
  field: string,
  { name = '', expression = '' }: Variable,
  checker: PolicyChecker,
): FieldProblem[] {
  const isIdentifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reservedWords.has(name);
  const nameProblems = isIdentifier
    ? []
    : [invalid(`${field}.name`, name, 'must be a valid CEL identifier')];
  return [
    ...(name.trim() ? nameProblems : [required(`${field}.name`, 'name is not specified')]),
    ...(expression.trim()
      ? expressionProblem(`${field}.expression`, expression, checker.addVariable(name, expression))
      : [required(`${field}.expression`, 'expression is not specified')]),
  ];
}

function validateContent(
  name: string,
  { validations = [], auditAnnotations = [] }: PolicySpec,
  checker: PolicyChecker,
): FieldProblem[] {
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const rule = 'validations or auditAnnotations must contain at least one item';
    return [required('spec.validations', rule), required('spec.auditAnnotations', rule)];
  }
  return [
    ...validations.flatMap((one, i) => validateValidation(`spec.validations[${i}]`, one, checker)),
    ...validateAnnotations('spec.auditAnnotations', name, auditAnnotations, checker),
  ];
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function validateValidation(
  field: string,
  { expression = '', message = '', messageExpression = '', reason }: Validation,
  checker: PolicyChecker,
): FieldProblem[] {
  const isBlank = (text: string) => text !== '' && text.trim() === '';
  const rule = 'must be non-empty if specified';
  return [
    ...(expression.trim()
      ? expressionProblem(`${field}.expression`, expression, checker.validation(expression))
      : [required(`${field}.expression`, 'expression is not specified')]),
    ...(isBlank(messageExpression)
      ? [invalid(`${field}.messageExpression`, messageExpression, rule)]
      : []),
    ...(messageExpression.trim()
      ? expressionProblem(
          `${field}.messageExpression`,
          messageExpression,
          checker.message(messageExpression),
        )
      : []),
    ...(isBlank(message) ? [invalid(`${field}.message`, message, rule)] : []),
    ...(/[\n\r]/.test(message.trim())
      ? [invalid(`${field}.message`, message, 'must not contain line breaks')]
      : []),
    ...(reason === undefined ? [] : oneOf(`${field}.reason`, reason, reasons)),
  ];
}

const maxAnnotations = 20;
const maxAnnotationBytes = 5 * 1024;

function validateAnnotations(
  field: string,
  policy: string,
  annotations: readonly AuditAnnotation[],
  checker: PolicyChecker,
): FieldProblem[] {
  const keys = annotations.map(({ key }) => key);
  const rule = `must not have more than ${maxAnnotations} auditAnnotations`;
  return [
    ...(annotations.length > maxAnnotations ? [invalid(field, annotations, rule)] : []),
    ...annotations.flatMap((annotation, i) => [
      ...validateAnnotation(`${field}[${i}]`, policy, annotation, checker),
      ...(keys.indexOf(annotation.key) < i
        ? [duplicate(`${field}[${i}].key`, annotation.key)]
        : []),
    ]),
  ];
}

function validateAnnotation(
  field: string,
  policy: string,
  { key = '', valueExpression = '' }: AuditAnnotation,
  checker: PolicyChecker,
): FieldProblem[] {
  const name = `${policy}/${key}`;
  const text = valueExpression.trim();
  const at = `${field}.valueExpression`;
  return [
    ...(policy
      ? invalidFor(`${field}.key`, name, qualifiedNameFaults(name))
      : [invalid(`${field}.key`, key, 'requires metadata.name be non-empty')]),
    ...(text === '' ? [required(at, 'valueExpression is not specified')] : []),
    ...(Buffer.byteLength(text) > maxAnnotationBytes
      ? [required(at, `must not exceed ${maxAnnotationBytes} bytes in length`)]
      : []),
    ...(text !== '' && Buffer.byteLength(text) <= maxAnnotationBytes
      ? expressionProblem(at, valueExpression, checker.auditAnnotation(text))
      : []),
  ];
}
