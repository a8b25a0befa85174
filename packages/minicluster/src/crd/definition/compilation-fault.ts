import { type Environment, ParseError } from '@marcbachmann/cel-js';
import { propertyOf, type TypeSchema } from '../../schema/type-schema.ts';
import { withTypeAndName } from '../rules/cel-value.ts';
import { escapeName } from '../rules/escape-name.ts';

/**
 * Why an expression cannot be a rule of the schema, in the form in which the API server tells it; undefined when it can.
 * What is not known before the evaluation is left to it: the types of operands, and the cost.
 */
export function compilationFault(
  environment: Environment,
  schema: TypeSchema,
  expression: string,
  wanted: 'bool' | 'string',
): string | undefined {
  const unknown = undefinedField(schema, expression);
  if (unknown) {
    return compilationFailed(expression, unknown.position, `undefined field '${unknown.name}'`);
  }
  const result = environment.check(expression);
  if (!result.valid) {
    const { error } = result;
    const said = error instanceof ParseError ? `Syntax error: ${error.summary}` : error?.summary;
    return compilationFailed(expression, error?.range?.start ?? 0, said ?? '');
  }
  const found = result.type === 'dyn' ? typeOfSelf(schema, expression) : result.type;
  if (found === undefined || found === wanted) return undefined;
  return wanted === 'bool' ? 'cel expression must evaluate to a bool' : 'must evaluate to a string';
}

/** Where the fault is, with the line and a mark under it. */
export function compilationFailed(expression: string, position: number, fault: string): string {
  const before = expression.slice(0, position).split('\n');
  const [line, column] = [before.length, before.at(-1)?.length ?? 0];
  const text = expression.split('\n')[line - 1] ?? '';
  return `compilation failed: ERROR: <input>:${line}:${column + 1}: ${fault}\n | ${text}\n | ${'.'.repeat(column)}^`;
}

const chain = /(?<![\w.'"])(?:self|oldSelf)((?:\.[A-Za-z_]\w*(?!\w|\())+)/g;

/** The first field that the schema does not have, as far as plain chains of fields tell. */
function undefinedField(
  schema: TypeSchema,
  expression: string,
): { readonly name: string; readonly position: number } | undefined {
  for (const match of expression.matchAll(chain)) {
    let [current, position]: [TypeSchema | undefined, number] = [
      withTypeAndName(schema),
      match.index + match[0].length - (match[1]?.length ?? 0),
    ];
    for (const name of (match[1] ?? '').slice(1).split('.')) {
      if (!current?.properties) break;
      const next = fieldOf(current, name);
      if (!next) return { name, position };
      [current, position] = [next, position + name.length + 1];
    }
  }
  return undefined;
}

function fieldOf(schema: TypeSchema, escaped: string): TypeSchema | undefined {
  const name = Object.keys(schema.properties ?? {}).find((one) => escapeName(one) === escaped);
  return name === undefined ? undefined : propertyOf(schema, name);
}

const celTypes: Readonly<Record<string, string>> = {
  integer: 'int',
  number: 'double',
  boolean: 'bool',
  object: 'object',
  array: 'list',
};

/** Of the one expression whose type the schema alone decides. */
function typeOfSelf({ type = '', format }: TypeSchema, expression: string): string | undefined {
  if (expression.trim() !== 'self') return undefined;
  return type === 'string' && !format ? 'string' : celTypes[type];
}
