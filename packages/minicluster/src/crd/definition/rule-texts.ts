import { invalid, oneOf, required } from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { createCelEnvironment } from '../rules/cel-environment.ts';
import { rulesOf, usesOldSelf, type ValidationRule } from '../rules/validation-rule.ts';
import { parseSchemaPath, SchemaPathError } from '../schema-path.ts';
import { compilationFault } from './compilation-fault.ts';

const reasons = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];

interface Surroundings {
  readonly uncorrelated: string;
  readonly checksRules: boolean;
}

/** The rules of one node: first their words, then, if all is well so far, what they say. */
export function validateRuleTexts(
  field: string,
  schema: TypeSchema,
  around: Surroundings,
): FieldProblem[] {
  const rules = rulesOf(schema);
  const place = (i: number) => `${field}.x-kubernetes-validations[${i}]`;
  const words = rules.flatMap((rule, i) => validateTexts(place(i), schema, rule));
  if (words.length > 0 || !around.checksRules || rules.length === 0) return words;
  return rules.flatMap((rule, i) => [
    ...validateExpressions(place(i), schema, rule),
    ...validateOldSelf(place(i), rule, around.uncorrelated),
  ]);
}

function validateTexts(field: string, schema: TypeSchema, rule: ValidationRule): FieldProblem[] {
  const { messageExpression, fieldPath, reason } = rule;
  const isBlank = messageExpression !== undefined && messageExpression.trim() === '';
  return [
    ...validateMessage(field, rule),
    ...(messageExpression && isBlank
      ? [required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified')]
      : []),
    ...(reason === undefined ? [] : oneOf(`${field}.reason`, reason, reasons)),
    ...(fieldPath && !isPath(schema, fieldPath)
      ? [invalid(`${field}.fieldPath`, fieldPath, 'must be a valid path')]
      : []),
  ];
}

function validateMessage(field: string, { rule, message = '' }: ValidationRule): FieldProblem[] {
  const [text, said] = [rule.trim(), message.trim()];
  if (text === '') return [required(`${field}.rule`, 'rule is not specified')];
  if (message !== '' && said === '') {
    return [invalid(`${field}.message`, message, 'must be non-empty if specified')];
  }
  if (said.includes('\n')) {
    return [invalid(`${field}.message`, message, 'must not contain line breaks')];
  }
  if (!text.includes('\n') || said !== '') return [];
  return [required(`${field}.message`, 'message must be specified if rule contains line breaks')];
}

function isPath(schema: TypeSchema, path: string): boolean {
  try {
    return parseSchemaPath(schema, path) !== undefined;
  } catch (error) {
    if (error instanceof SchemaPathError) return false;
    throw error;
  }
}

function validateExpressions(
  field: string,
  schema: TypeSchema,
  rule: ValidationRule,
): FieldProblem[] {
  const environment = createCelEnvironment();
  const { messageExpression = '' } = rule;
  const fault = compilationFault(environment, schema, rule.rule, 'bool');
  const messageFault =
    messageExpression && compilationFault(environment, schema, messageExpression, 'string');
  return [
    ...(fault ? [uncompilable(`${field}.rule`, rule, fault)] : []),
    ...(messageFault
      ? [uncompilable(`${field}.messageExpression`, rule, `messageExpression ${messageFault}`)]
      : []),
  ];
}

/** The rule is shown in the words, and the order, of the server's own type. */
function uncompilable(field: string, rule: ValidationRule, fault: string): FieldProblem {
  const shown = JSON.stringify({
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  });
  const message = `Invalid value: ${escapeHtml(shown)}: ${fault}`;
  return { field, reason: 'FieldValueInvalid', message };
}

function escapeHtml(json: string): string {
  return json.replaceAll(/[<>&]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function validateOldSelf(
  field: string,
  rule: ValidationRule,
  uncorrelated: string,
): FieldProblem[] {
  const { optionalOldSelf } = rule;
  if (usesOldSelf(rule)) {
    if (uncorrelated === '') return [];
    const fault = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    return [invalid(`${field}.rule`, rule.rule, fault)];
  }
  if (optionalOldSelf === undefined) return [];
  const fault = 'may not be set if oldSelf is not used in rule';
  return [invalid(`${field}.optionalOldSelf`, optionalOldSelf, fault)];
}
