import { isJsonObject } from '@liqo/kube';
import {
  compareElements,
  fieldElement,
  type PathElement,
  parseElement,
  printElement,
} from './path-element.ts';

/**
 * A set of fields of an object, as a tree of steps: what `fieldsV1` of managedFields holds. `member` says whether the
 * place itself belongs to the set; that a field does says nothing about what is below it. The root is never a member.
 * Sets never change, and no branch of one is empty.
 */
export interface FieldSet {
  readonly member: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
}

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

export const emptySet: FieldSet = { member: false, children: noChildren };

/** A place that belongs to the set, with nothing below. */
export const leafSet: FieldSet = { member: true, children: noChildren };

/** A place and what is below it. */
export function branchOf(member: boolean, children: ReadonlyMap<PathElement, FieldSet>): FieldSet {
  if (children.size === 0) return member ? leafSet : emptySet;
  return { member, children };
}

/** The set of the named fields: `['metadata', 'name']` is one. */
export function fieldSetOf(paths: readonly (readonly string[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, pathSet(path)), emptySet);
}

function pathSet(path: readonly string[]): FieldSet {
  return path.reduceRight<FieldSet>(
    (below, name) => branchOf(false, new Map([[fieldElement(name), below]])),
    leafSet,
  );
}

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children.size === 0;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a) || a === b) return b;
  if (isEmptySet(b)) return a;
  const children = new Map(a.children);
  for (const [element, below] of b.children) {
    const other = children.get(element);
    children.set(element, other ? union(other, below) : below);
  }
  return branchOf(a.member || b.member, children);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, below] of a.children) {
    const other = b.children.get(element);
    const common = other ? intersection(below, other) : emptySet;
    if (!isEmptySet(common)) children.set(element, common);
  }
  return branchOf(a.member && b.member, children);
}

/** What is in `a` and not in `b`. A field in `b` does not take away what is below it. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return subtract(a, b, difference);
}

/** What is in `a` and neither in `b` nor below a field in `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(b)) return a;
  return subtract(a, b, (below, other) =>
    other.member ? emptySet : recursiveDifference(below, other),
  );
}

function subtract(
  a: FieldSet,
  b: FieldSet,
  subtractBelow: (below: FieldSet, other: FieldSet) => FieldSet,
): FieldSet {
  const children = new Map<PathElement, FieldSet>();
  for (const [element, below] of a.children) {
    const other = b.children.get(element);
    const rest = other ? subtractBelow(below, other) : below;
    if (!isEmptySet(rest)) children.set(element, rest);
  }
  return branchOf(a.member && !b.member, children);
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true;
  if (a.member !== b.member || a.children.size !== b.children.size) return false;
  return [...a.children].every(([element, below]) => {
    const other = b.children.get(element);
    return other !== undefined && equalSets(below, other);
  });
}

/** Every field of the set as conflicts name it, `.spec.containers[name="c"].image`, fields before what is below them. */
export function pathsOf(set: FieldSet, prefix = ''): string[] {
  const children = sortedChildren(set);
  const members = children.filter(([, below]) => below.member);
  return [
    ...members.map(([element]) => prefix + printElement(element)),
    ...children.flatMap(([element, below]) => pathsOf(below, prefix + printElement(element))),
  ];
}

/** Reads `fieldsV1`. Throws a `SyntaxError` when a step is not written as steps are. */
export function parseFields(fields: unknown): FieldSet {
  const { children } = parseNode(fields);
  return branchOf(false, children);
}

/** A place without anything below it is a member; with something, only if it says so by `.`. */
function parseNode(fields: unknown): FieldSet {
  if (!isJsonObject(fields)) return leafSet;
  const children = new Map<PathElement, FieldSet>();
  for (const [text, below] of Object.entries(fields)) {
    const element = text === '.' ? undefined : parseElement(text);
    if (element !== undefined) children.set(element, parseNode(below));
  }
  return branchOf(children.size === 0 || Object.hasOwn(fields, '.'), children);
}

/** `fieldsV1`, its steps in the server's order. */
export function printFields(set: FieldSet): Record<string, object> {
  const printed: Record<string, object> = {};
  if (set.member && set.children.size > 0) printed['.'] = {};
  for (const [element, below] of sortedChildren(set)) printed[element] = printFields(below);
  return printed;
}

function sortedChildren(set: FieldSet): [PathElement, FieldSet][] {
  return [...set.children].sort(([a], [b]) => compareElements(a, b));
}
