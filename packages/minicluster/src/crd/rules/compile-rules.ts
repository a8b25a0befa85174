import type { Environment, ParseResult } from '@marcbachmann/cel-js';
import type { TypeSchema } from '../../schema/type-schema.ts';
import { parseSchemaPath, SchemaPathError } from '../schema-path.ts';
import { createCelEnvironment } from './cel-environment.ts';
import { rulesOf, usesOldSelf, type ValidationRule } from './validation-rule.ts';

export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: ParseResult;
  readonly message: ParseResult | undefined;
  readonly usesOldSelf: boolean;
  /** Where a broken rule is reported, relative to the value; empty for the value itself. */
  readonly fieldPath: string;
}

/** The rules of a schema and of everything below it; only nodes with rules at or below them are there. */
export interface RuleTree {
  readonly schema: TypeSchema;
  /** The value is a whole object, with a kind and a name. */
  readonly isResource: boolean;
  readonly rules: readonly CompiledRule[];
  readonly items: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
  readonly others: RuleTree | undefined;
}

/** Undefined when the schema has no rules at all. Rules that cannot be parsed never get here: no CRD may have them. */
export function compileRules(schema: TypeSchema, isResource: boolean): RuleTree | undefined {
  return compileNode(createCelEnvironment(), schema, isResource);
}

function compileNode(
  environment: Environment,
  schema: TypeSchema,
  isResource: boolean,
): RuleTree | undefined {
  const { items, properties = {}, additionalProperties: others } = schema;
  const below = (node: TypeSchema) =>
    compileNode(environment, node, node['x-kubernetes-embedded-resource'] === true);
  const members = Object.entries(properties).flatMap(([name, node]): [string, RuleTree][] => {
    const tree = below(node);
    return tree ? [[name, tree]] : [];
  });
  const tree: RuleTree = {
    schema,
    isResource,
    rules: rulesOf(schema).map((rule) => compileRule(environment, schema, rule)),
    items: items && below(items),
    properties: new Map(members),
    others: typeof others === 'object' ? below(others) : undefined,
  };
  const isEmpty = tree.rules.length === 0 && members.length === 0 && !tree.items && !tree.others;
  return isEmpty ? undefined : tree;
}

function compileRule(
  environment: Environment,
  schema: TypeSchema,
  rule: ValidationRule,
): CompiledRule {
  const { messageExpression } = rule;
  return {
    rule,
    program: environment.parse(rule.rule),
    message: messageExpression ? environment.parse(messageExpression) : undefined,
    usesOldSelf: usesOldSelf(rule),
    fieldPath: rule.fieldPath ? fieldPathIn(schema, rule.fieldPath) : '',
  };
}

function fieldPathIn(schema: TypeSchema, path: string): string {
  try {
    return parseSchemaPath(schema, path).text;
  } catch (error) {
    if (error instanceof SchemaPathError) return '';
    throw error;
  }
}
