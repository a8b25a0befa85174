import { type ASTNode, type Environment, serialize } from '@marcbachmann/cel-js';
import { compilePattern } from '../../crd/pattern.ts';
import { noOverload, undeclared } from './expression-problem.ts';

interface Problem {
  readonly position: number;
  readonly problem: string;
}

/**
 * What the API server finds in an expression whose types go together, and the checker of the CEL library does not:
 * fields that cannot be there in `has()`, literals that no method of that name takes, patterns that are none, and
 * `cel.bind`, which Kubernetes does not have. The first one counts.
 */
export function findStricterProblem(
  environment: Environment,
  expression: string,
): Problem | undefined {
  return findIn(environment, environment.parse(expression).ast);
}

function findIn(environment: Environment, node: ASTNode): Problem | undefined {
  const own = problemOf(environment, node);
  if (own) return own;
  for (const child of childrenOf(node)) {
    const found = findIn(environment, child);
    if (found) return found;
  }
  return undefined;
}

function childrenOf({ args }: ASTNode): readonly ASTNode[] {
  if (!Array.isArray(args)) return isNode(args) ? [args] : [];
  return (args as readonly unknown[]).flat(2).filter(isNode);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}

function problemOf(environment: Environment, node: ASTNode): Problem | undefined {
  if (node.op === 'call' && node.args[0] === 'has') return absentField(environment, node);
  if (node.op !== 'rcall') return undefined;
  const [name, receiver, args] = node.args;
  if (receiver.op === 'id' && receiver.args === 'cel') {
    return { position: receiver.start, problem: undeclared('cel') };
  }
  const [first] = args;
  if (name === 'matches' && first && isBadPattern(first)) {
    return { position: first.start, problem: 'invalid matches argument' };
  }
  return unfitLiterals(environment, node);
}

function absentField(environment: Environment, node: ASTNode): Problem | undefined {
  const [operand] = childrenOf(node);
  if (operand?.op !== '.') return undefined;
  const { valid, error } = environment.check(serialize(operand));
  if (valid || error?.code !== 'no_such_key') return undefined;
  const field = error.summary.slice(error.summary.lastIndexOf(' ') + 1);
  return { position: node.start + 'has'.length, problem: `undefined field '${field}'` };
}

/** RE2 has no look-around and no references to groups. */
const beyondRe2 = /\(\?<?[=!]|\\[1-9]/;

function isBadPattern(node: ASTNode): boolean {
  if (node.op !== 'value' || typeof node.args !== 'string') return false;
  if (beyondRe2.test(node.args)) return true;
  try {
    compilePattern(node.args);
    return false;
  } catch {
    return true;
  }
}

type Call = Extract<ASTNode, { readonly op: 'rcall' }>;

/** Of a receiver whose type is not known, only the arguments tell whether there is such a method. */
function unfitLiterals(environment: Environment, node: Call): Problem | undefined {
  const [name, receiver, args] = node.args;
  const types = args.map(literalType);
  const methods = environment
    .getDefinitions()
    .functions.filter((one) => one.name === name && one.receiverType !== null)
    .map(({ params }) => params.map(({ type }) => type))
    .filter((params) => params.length === args.length);
  const isMacro = methods.some((params) => params.includes('ast'));
  const fits = methods.some((params) =>
    params.every((type, i) => types[i] === undefined || takes(type, types[i])),
  );
  if (isMacro || fits || methods.length === 0) return undefined;
  const position = node.input.indexOf('(', receiver.end);
  const problem = noOverload(
    name,
    'dyn',
    types.map((type) => type ?? 'dyn'),
  );
  return { position, problem };
}

function takes(parameter: string, literal: string): boolean {
  return parameter === literal || parameter === 'dyn' || /^[A-Z]$/.test(parameter);
}

/** Undefined for what is no literal. */
function literalType(node: ASTNode): string | undefined {
  if (node.op !== 'value') return undefined;
  switch (typeof node.args) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    default:
      return undefined;
  }
}
