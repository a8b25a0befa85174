import { type ASTNode, type Environment, serialize } from '@marcbachmann/cel-js';
import { compilePattern } from '../../crd/pattern.ts';
import { goType, noOverload, undeclared } from './expression-problem.ts';

type Call = Extract<ASTNode, { readonly op: 'rcall' }>;

interface Problem {
  readonly position: number;
  readonly problem: string;
}

/**
 * What the API server finds in an expression whose types go together, and the checker of the CEL library does not:
 * fields that cannot be there in `has()`, literals that no method of that name takes, patterns, durations and timestamps
 * that are none, lists and maps of mixed types, fields of types that have none, and `cel.bind`, which Kubernetes does not
 * have. The first one counts.
 */
export function findStricterProblem(
  environment: Environment,
  expression: string,
): Problem | undefined {
  const parsed = environment.parse(expression);
  parsed.check();
  return findIn(environment, parsed.ast);
}

function findIn(environment: Environment, node: ASTNode): Problem | undefined {
  const own = problemOf(environment, node);
  if (own) return own;
  for (const child of checkedChildren(node)) {
    const found = findIn(environment, child);
    if (found) return found;
  }
  return undefined;
}

/** The arguments of `format` may be of any types. */
function checkedChildren(node: ASTNode): readonly ASTNode[] {
  const [name, receiver, [list] = []] = node.op === 'rcall' ? node.args : [];
  if (name !== 'format' || !receiver || list?.op !== 'list') return childrenOf(node);
  return [receiver, ...childrenOf(list)];
}

/** The type that the checker of the CEL library has noted on a node. */
function typeOf(node: ASTNode): string {
  return (node as { readonly checkedType?: { readonly name: string } }).checkedType?.name ?? 'dyn';
}

function childrenOf({ args }: ASTNode): readonly ASTNode[] {
  if (!Array.isArray(args)) return isNode(args) ? [args] : [];
  return (args as readonly unknown[]).flat(2).filter(isNode);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}

function problemOf(environment: Environment, node: ASTNode): Problem | undefined {
  switch (node.op) {
    case 'call':
      return node.args[0] === 'has'
        ? absentField(environment, node)
        : badConversion(environment, node);
    case 'list':
      return mixedTypes(node.args);
    case 'map':
      return (
        mixedTypes(node.args.map(([key]) => key)) ?? mixedTypes(node.args.map(([, value]) => value))
      );
    case '.':
    case '[]':
      return unfitAccess(node);
    case 'rcall':
      return problemOfCall(environment, node);
    default:
      return undefined;
  }
}

/** The types of elements have to be the same: what is not known is a type of its own. */
function mixedTypes(nodes: readonly ASTNode[]): Problem | undefined {
  const [first, ...others] = nodes;
  if (!first) return undefined;
  const expected = typeOf(first);
  const other = others.find((node) => typeOf(node) !== expected && !isOpen(typeOf(node)));
  if (!other || isOpen(expected)) return undefined;
  const problem = `expected type '${goType(expected)}' but found '${goType(typeOf(other))}'`;
  return { position: other.start, problem };
}

/** Of an empty list or map. */
function isOpen(type: string): boolean {
  return /\b[A-Z]\b/.test(type);
}

const opaque = 'kubernetes.authorization.';
const indexable = /^(?:dyn|list|map|optional)\b/;

function unfitAccess(node: Extract<ASTNode, { readonly op: '.' | '[]' }>): Problem | undefined {
  const [operand, member] = node.args;
  const type = typeOf(operand);
  const position = node.input.indexOf(node.op === '.' ? '.' : '[', operand.end);
  if (node.op === '[]') {
    if (indexable.test(type)) return undefined;
    const types = [goType(type), goType(typeOf(member as ASTNode))];
    return { position, problem: noOverload('_[_]', undefined, types) };
  }
  if (!type.startsWith(opaque) || member === 'requestResource') return undefined;
  return { position, problem: `unexpected failed resolution of '${type}'` };
}

const conversions: readonly string[] = ['duration', 'timestamp'];

/** A literal is converted before the expression is accepted. */
function badConversion(environment: Environment, node: ASTNode): Problem | undefined {
  const [name, [argument] = []] = node.op === 'call' ? node.args : [];
  if (!name || !conversions.includes(name) || argument?.op !== 'value') return undefined;
  try {
    environment.evaluate(serialize(node));
    return undefined;
  } catch {
    return { position: argument.start, problem: `invalid ${name} argument` };
  }
}

function problemOfCall(environment: Environment, node: Call): Problem | undefined {
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
