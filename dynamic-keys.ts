import { type Expression, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast';
import {
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isComputedPropertyName,
  isElementAccessExpression,
  isForInStatement,
  isObjectLiteralExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker, type Type, TypeFlags } from 'typescript/unstable/sync';

/**
 * Finds where a key that is only known at run time meets a plain object: `o[key]`, `{ [key]: x } = o`, `key in o`,
 * `for (key in o)` and `Object.assign`. With a key from outside, such as `__proto__` or `constructor`, these read what the object inherits, or
 * change what it inherits from. Keys that the compiler knows, and numbers, are fine.
 *
 * Gives back one line for each: `packages/x/src/y.ts:12 o[key]`.
 */
export function findDynamicKeys(
  folder: string,
  isWanted: (file: string) => boolean,
): readonly string[] {
  const api = new API({ cwd: folder });
  try {
    const snapshot = api.updateSnapshot({ openProject: `${folder}/tsconfig.json` });
    return snapshot.getProjects().flatMap(({ rootFiles, program, checker }) =>
      rootFiles.flatMap((path) => {
        const file = path.slice(folder.length + 1);
        const source = isWanted(file) ? program.getSourceFile(path) : undefined;
        if (!source) return [];
        const found = suspectsIn(source).filter((suspect) => isDynamic(suspect, checker));
        return found.map(({ node }) => describeNode(file, source, node));
      }),
    );
  } finally {
    api.close();
  }
}

interface Suspect {
  readonly node: Node;
  /** Undefined where any key may come. */
  readonly key?: Expression;
}

function suspectsIn(source: SourceFile): readonly Suspect[] {
  const suspects: Suspect[] = [];
  const visit = (node: Node) => {
    const suspect = suspectOf(node, source);
    if (suspect) suspects.push(suspect);
    node.forEachChild(visit);
  };
  visit(source);
  return suspects;
}

function suspectOf(node: Node, source: SourceFile): Suspect | undefined {
  if (isElementAccessExpression(node)) return { node, key: node.argumentExpression };
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InKeyword) {
    return { node, key: node.left };
  }
  if (isForInStatement(node)) return { node };
  if (isBindingElement(node)) {
    const name = node.propertyName;
    return name && isComputedPropertyName(name) ? { node, key: name.expression } : undefined;
  }
  if (!isCallExpression(node) || textOf(node.expression, source) !== 'Object.assign') return;
  const [, ...sources] = node.arguments;
  return sources.every(isObjectLiteralExpression) ? undefined : { node };
}

function isDynamic({ key }: Suspect, checker: Checker): boolean {
  if (key === undefined) return true;
  const type = checker.getTypeAtLocation(key);
  return type === undefined || isText(type);
}

const text = TypeFlags.Any | TypeFlags.String | TypeFlags.TemplateLiteral | TypeFlags.StringMapping;

function isText(type: Type): boolean {
  return type.isUnionType() ? type.getTypes().some(isText) : (type.flags & text) !== 0;
}

function describeNode(file: string, source: SourceFile, node: Node): string {
  const line = source.text.slice(0, node.end).split('\n').length;
  const [code = ''] = textOf(node, source).split('\n');
  return `${file}:${line} ${code}`;
}

function textOf(node: Node, source: SourceFile): string {
  return source.text.slice(node.pos, node.end).trim();
}
