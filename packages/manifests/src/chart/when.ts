import type { KubeObject } from '@liqo/kube';
import { Placeholder, parsePattern } from './placeholder.ts';

/** Where an object of a chart keeps the expression without which Helm leaves it out. */
const condition = Symbol('condition');

/** The objects, if the condition holds. In a chart it is not known yet: the objects carry it, for `conditionOf`. */
export function when(isWanted: boolean, objects: readonly KubeObject[]): readonly KubeObject[] {
  const symbol: unknown = isWanted;
  if (symbol instanceof Placeholder) {
    return objects.map((object) => ({ ...object, [condition]: symbol.expression }));
  }
  return isWanted ? objects : [];
}

/** The expression that `when` put there. */
export function conditionOf(object: KubeObject): string | undefined {
  return (object as { readonly [condition]?: string })[condition];
}

/** One of two texts. In a chart, Helm chooses. */
export function choose(isFirst: boolean, first: string, second: string): string {
  const symbol: unknown = isFirst;
  if (!(symbol instanceof Placeholder)) return isFirst ? first : second;
  const [one, other] = [first, second].map(asExpression);
  const expression = `(ternary ${one} ${other} ${symbol.expression})`;
  return new Placeholder(expression, 'string') as unknown as string;
}

function asExpression(text: unknown): string {
  if (text instanceof Placeholder) return text.scalar;
  const pattern = parsePattern(String(text));
  if (!pattern) return JSON.stringify(text);
  return `(printf ${[JSON.stringify(pattern.format), ...pattern.expressions].join(' ')})`;
}
