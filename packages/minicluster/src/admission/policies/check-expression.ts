import {
  type ASTNode,
  type Environment,
  ParseError,
  type TypeCheckResult,
} from '@marcbachmann/cel-js';
import { compilationFailed } from '../../crd/definition/compilation-fault.ts';
import { goType, noOverload, undeclared } from './expression-problem.ts';
import { findStricterProblem } from './stricter-checks.ts';

/** The type of an expression in the notation of the API server, or why it cannot be accepted. */
export type CheckedExpression = { readonly type: string } | { readonly problem: string };

/** `wanted` are the types that the expression may have; any when it is empty. */
export function checkExpression(
  environment: Environment,
  expression: string,
  wanted: readonly string[],
): CheckedExpression {
  const result = environment.check(expression);
  if (!result.valid) return { problem: describeError(environment, expression, result.error) };
  const stricter = findStricterProblem(environment, expression);
  if (stricter) {
    return { problem: compilationFailed(expression, stricter.position, stricter.problem) };
  }
  const type = goType(result.type ?? 'dyn');
  if (wanted.length === 0 || wanted.includes(type)) return { type };
  const [only, ...others] = wanted;
  const expected = others.length > 0 ? `one of [${wanted.join(' ')}]` : only;
  return { problem: `must evaluate to ${expected} but got ${type}` };
}

function describeError(
  environment: Environment,
  expression: string,
  error: TypeCheckResult['error'],
): string {
  const start = error?.range?.start ?? 0;
  const at = (position: number, problem: string) =>
    compilationFailed(expression, position, problem);
  if (!error || error instanceof ParseError) {
    return at(start, `Syntax error: ${error?.summary ?? ''}`);
  }
  const { code, summary, node } = error;
  switch (code) {
    case 'unknown_variable':
      return at(start, undeclared(lastWord(summary)));
    case 'no_such_key':
      return at(dotBefore(start), `undefined field '${lastWord(summary)}'`);
    case 'cannot_index_type': {
      const type = goType(/'(.*)'/.exec(summary)?.[1] ?? '');
      return at(dotBefore(start), `type '${type}' does not support field selection`);
    }
    case 'no_matching_overload':
      return at(placeOf(expression, node) ?? start, describeCall(environment, summary));
    case 'no_such_overload':
      return at(placeOf(expression, node) ?? start, describeOperator(summary));
    case 'invalid_macro_argument':
      return at(start, 'invalid argument to has() macro');
    default:
      return at(start, summary);
  }
}

/** Where a field is selected. */
function dotBefore(name: number): number {
  return name - 1;
}

/** The parenthesis of a call, or the operator. */
function placeOf(expression: string, node: ASTNode | undefined): number | undefined {
  if (node?.op === 'rcall') return expression.indexOf('(', node.args[1].end);
  if (node?.op === 'call') return expression.indexOf('(', node.start);
  if (!node || !Array.isArray(node.args)) return undefined;
  const [left] = node.args as readonly ASTNode[];
  return left ? expression.indexOf(node.op, left.end) : undefined;
}

function lastWord(summary: string): string {
  return summary.slice(summary.lastIndexOf(' ') + 1);
}

/** `'string.startsWith(int)'` is a function that does not take this; `'dyn.frobnicate()'` is none. */
function describeCall(environment: Environment, summary: string): string {
  const [, receiver, name = '', args = ''] = /'(?:([^']*)\.)?(\w+)\((.*)\)'$/.exec(summary) ?? [];
  const isKnown = environment.getDefinitions().functions.some((one) => one.name === name);
  if (!isKnown) return undeclared(name);
  const types = args === '' ? [] : args.split(/, (?![^<]*>)/).map(goType);
  return noOverload(name, receiver && goType(receiver), types);
}

/** `no such overload: string == int`, `no such overload: !string`. */
function describeOperator(summary: string): string {
  const operands = summary.replace('no such overload: ', '');
  const [, left, operator = '', right = ''] = /^(\S.*) (\S+) (.+)$/.exec(operands) ?? [];
  if (left === undefined) {
    return noOverload(`${operands[0]}_`, undefined, [goType(operands.slice(1))]);
  }
  const name = operator === 'in' ? '@in' : `_${operator}_`;
  return noOverload(name, undefined, [goType(left), goType(right)]);
}
