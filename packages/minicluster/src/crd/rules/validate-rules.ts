import { isJsonObject } from '@liqo/kube';
import { Optional, type ParseResult } from '@marcbachmann/cel-js';
import {
  duplicate,
  forbidden,
  invalid,
  invalidWithoutValue,
  required,
} from '../../resources/validation/field-problem.ts';
import type { FieldProblem } from '../../rest/refusal.ts';
import { childPath, keyPath } from '../field-path.ts';
import type { Correlation } from '../validation/correlation.ts';
import { findListMapItem } from '../validation/list-map.ts';
import { evaluationFault } from './cel-fault.ts';
import { celValue } from './cel-value.ts';
import type { CompiledRule, RuleTree } from './compile-rules.ts';
import type { ValidationRule } from './validation-rule.ts';

/** A value under a rule, where it is, and what was there before an update (undefined: nothing that can be told). */
export interface RuleSubject {
  readonly path: string;
  readonly value: unknown;
  readonly old: unknown;
  readonly correlation: Correlation | undefined;
  /** Neither the value nor what it is part of has changed: rules about the value alone forgive it. */
  readonly isForgiven: boolean;
}

/** The rules of the whole tree, on whatever of the value they are about. Absent and null values break no rule. */
export function validateRules(tree: RuleTree, subject: RuleSubject): FieldProblem[] {
  if (subject.value === null || subject.value === undefined) return [];
  return [...ownProblems(tree, subject), ...problemsBelow(tree, subject)];
}

function problemsBelow(tree: RuleTree, subject: RuleSubject): FieldProblem[] {
  const { value, old, path } = subject;
  if (Array.isArray(value)) return itemProblems(tree, subject, value);
  if (!isJsonObject(value)) return [];
  const previous = isJsonObject(old) ? old : {};
  return Object.entries(value).flatMap(([key, member]) => {
    const property = tree.properties.get(key);
    const below = property ?? tree.others;
    if (!below) return [];
    const memberPath = property ? childPath(path, key) : keyPath(path, key);
    const correlation = subject.correlation?.key(key);
    return validateRules(below, part(subject, memberPath, member, previous[key], correlation));
  });
}

/** Items are compared with what they were by their keys, in list-maps; items of other lists have no past. */
function itemProblems(
  { schema, items }: RuleTree,
  subject: RuleSubject,
  list: readonly unknown[],
): FieldProblem[] {
  if (!items) return [];
  const oldList = Array.isArray(subject.old) ? subject.old : [];
  return list.flatMap((item, index) => {
    const old = findListMapItem(schema, oldList, item);
    const itemPath = `${subject.path}[${index}]`;
    return validateRules(
      items,
      part(subject, itemPath, item, old, subject.correlation?.index(index)),
    );
  });
}

function part(
  whole: RuleSubject,
  path: string,
  value: unknown,
  old: unknown,
  correlation: Correlation | undefined,
): RuleSubject {
  const isForgiven = correlation ? correlation.isUnchanged : whole.isForgiven;
  return { path, value, old, correlation, isForgiven };
}

function ownProblems(tree: RuleTree, subject: RuleSubject): FieldProblem[] {
  if (tree.rules.length === 0) return [];
  const { schema, isResource } = tree;
  const self = celValue(schema, subject.value, isResource);
  const hasOld = subject.old !== undefined && subject.old !== null;
  const oldSelf = hasOld ? celValue(schema, subject.old, isResource) : undefined;
  return tree.rules.flatMap((compiled) => {
    const { optionalOldSelf } = compiled.rule;
    if (compiled.usesOldSelf && !hasOld && !optionalOldSelf) return [];
    const variables = { self, oldSelf: optionalOldSelf ? optional(oldSelf) : oldSelf };
    if (!compiled.usesOldSelf && subject.isForgiven) return [];
    return evaluate(tree, compiled, subject, variables);
  });
}

function optional(value: unknown): Optional {
  return value === undefined ? Optional.none() : Optional.of(value);
}

interface Variables {
  readonly self: unknown;
  readonly oldSelf: unknown;
}

function evaluate(
  { schema }: RuleTree,
  compiled: CompiledRule,
  { path, value }: RuleSubject,
  variables: Variables,
): FieldProblem[] {
  const type = schema.type ?? '';
  try {
    if (compiled.program(variables) === true) return [];
  } catch (error) {
    return [invalid(path, type, faultText(compiled.rule, evaluationFault(error)))];
  }
  const { fieldPath, rule } = compiled;
  const field = fieldPath ? childPath(path, fieldPath) : path;
  const detail = evaluatedMessage(compiled.message, variables) ?? plainMessage(rule);
  const isCompound = type === 'object' || type === 'array';
  return [brokenRule(rule, field, isCompound ? undefined : value, detail)];
}

function faultText(rule: ValidationRule, fault: string | undefined): string {
  const name = rule.message?.trim() || rule.rule.trim();
  if (fault !== undefined) return `${fault} evaluating rule: ${name}`;
  return `'no such overload': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
}

/** An expression that fails, or gives no single line of text, gives way to the plain message. */
function evaluatedMessage(
  expression: ParseResult | undefined,
  variables: Variables,
): string | undefined {
  if (!expression) return undefined;
  try {
    const text = String(expression(variables)).trim();
    return text === '' || text.includes('\n') ? undefined : text;
  } catch {
    return undefined;
  }
}

function plainMessage({ message, rule }: ValidationRule): string {
  return message?.trim() || `failed rule: ${rule.trim()}`;
}

/** Compound values are left out: they would make the message endless. */
function brokenRule(
  { reason }: ValidationRule,
  field: string,
  value: unknown,
  detail: string,
): FieldProblem {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return value === undefined
        ? { field, reason, message: 'Duplicate value' }
        : duplicate(field, value);
    default:
      return value === undefined
        ? invalidWithoutValue(field, detail)
        : invalid(field, value, detail);
  }
}
