import { isJsonObject } from '@liqo/kube';

/** A path that cannot be read, or that does not fit the value. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

/** One step: from each value found so far to those it leads to. */
type Step = (value: unknown) => readonly unknown[];

/**
 * A path in the language of printer columns: `.spec.a`, `.metadata.labels.a\.b/c`, `.spec.list[0]`, `[-1]`, `[1:]`, `[*]`,
 * `['key']`, `.status..type`, and filters such as `.status.conditions[?(@.type=="Ready")].status`. The result finds all
 * values in an object; a member that is absent leads to none.
 */
export function parseJsonPath(path: string): (value: unknown) => readonly unknown[] {
  const steps = readSteps(path);
  return (value) => steps.reduce<readonly unknown[]>((found, step) => found.flatMap(step), [value]);
}

const member = /^\.((?:[^.[\]\\\s]|\\.)+)/;
const recursion = /^\.\.((?:[^.[\]\\\s]|\\.)+)/;
const filter = /^\[\?\(\s*@((?:[^=!<>'"\s]|\\.)*)\s*(?:(==|!=|<=|>=|<|>)\s*(.+?))?\s*\)\]/;
const quotedKey = /^\['([^']*)'\]/;
const range = /^\[(-?\d*)(?:(:)(-?\d*))?\]/;

function readSteps(path: string): readonly Step[] {
  if (path === '' || path === '.') return [];
  const readers: readonly [RegExp, (...parts: string[]) => readonly Step[]][] = [
    [recursion, (_, name = '') => [descend(withoutEscapes(name))]],
    [/^\.\*/, () => [allMembers]],
    [member, (_, name = '') => [memberNamed(withoutEscapes(name))]],
    [filter, (_, left = '', operator, right) => [filterItems(left, operator, right)]],
    [quotedKey, (_, key = '') => readSteps(`.${key}`)],
    [/^\[\*\]/, () => [allItems]],
    [range, (_, from = '', colon, to) => [itemsIn(from, colon, to)]],
  ];
  for (const [pattern, read] of readers) {
    const match = pattern.exec(path);
    if (match) return [...read(...match), ...readSteps(path.slice(match[0].length))];
  }
  throw new JsonPathError(`Cannot read JSON path: there is no step at "${path}"`);
}

function withoutEscapes(name: string): string {
  return name.replaceAll(/\\(.)/g, '$1');
}

function memberNamed(name: string): Step {
  return (value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : []);
}

function allMembers(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? sortedMembers(value) : [];
}

function sortedMembers(value: Readonly<Record<string, unknown>>): unknown[] {
  return Object.keys(value)
    .sort()
    .map((key) => value[key]);
}

/** Members of that name, at any depth. */
function descend(name: string): Step {
  const find: Step = (value) => [...memberNamed(name)(value), ...allMembers(value).flatMap(find)];
  return find;
}

function allItems(value: unknown): readonly unknown[] {
  return listOf(value);
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new JsonPathError('Cannot follow JSON path: the value is not a list');
}

function itemsIn(from: string, colon: string | undefined, to: string | undefined): Step {
  return (value) => {
    const list = listOf(value);
    const start = from === '' ? 0 : Number(from);
    if (!colon) return list.slice(start).slice(0, 1);
    return list.slice(start, to ? Number(to) : list.length);
  };
}

function filterItems(path: string, operator?: string, literal?: string): Step {
  const find = parseJsonPath(path);
  if (operator === undefined || literal === undefined) {
    return (value) => listOf(value).filter((item) => find(item).length > 0);
  }
  const right = readLiteral(literal);
  return (value) =>
    listOf(value).filter((item) => {
      const [left] = find(item);
      return left !== undefined && typeof left === typeof right && holds(left, operator, right);
    });
}

type Scalar = string | number | boolean;

function readLiteral(text: string): Scalar {
  const [, single, double] = /^'(.*)'$|^"(.*)"$/.exec(text) ?? [];
  if (single !== undefined || double !== undefined) return single ?? double ?? '';
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  if (!Number.isNaN(number)) return number;
  throw new JsonPathError(`Cannot read JSON path: "${text}" is neither a text nor a number`);
}

function holds(left: unknown, operator: string, right: Scalar): boolean {
  const value = left as Scalar;
  switch (operator) {
    case '==':
      return value === right;
    case '!=':
      return value !== right;
    case '<':
      return value < right;
    case '<=':
      return value <= right;
    case '>':
      return value > right;
    default:
      return value >= right;
  }
}
