export type ValueType = 'string' | 'integer' | 'boolean' | 'array' | 'object';

/**
 * Stands for a value that is not known yet: an expression of Helm's templates. It can be put somewhere whole, or written
 * into a string; whoever wants to compute with it is told that a template cannot.
 */
export class Placeholder {
  readonly expression: string;
  readonly type: ValueType;

  constructor(expression: string, type: ValueType) {
    this.expression = expression;
    this.type = type;
  }

  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'string') return `${opening}${this.scalar}${closing}`;
    throw new Error(`Cannot compute with "${this.expression}": in a chart its value is not known`);
  }

  /** A list stands where its only item does, so that it may be copied. */
  *[Symbol.iterator](): Iterator<Placeholder> {
    if (this.type !== 'array') throw new Error(`Cannot iterate over "${this.expression}"`);
    yield this;
  }

  /** Lists and maps are put in place as YAML. */
  get isComposite(): boolean {
    return this.type === 'array' || this.type === 'object';
  }

  /**
   * As it is written into a string. Numbers of a values file are floating-point: large ones would come out as `1e+06`. A list
   * is its items in JSON, with commas and without brackets.
   */
  get scalar(): string {
    if (this.type === 'object') throw new Error(`Cannot write "${this.expression}" into a string`);
    if (this.type === 'array') return `(toRawJson ${this.expression} | trimAll "[]")`;
    return this.type === 'integer' ? `(int64 ${this.expression})` : this.expression;
  }
}

const opening = '\u{2}';
const closing = '\u{3}';
const written = new RegExp(`${opening}(.*?)${closing}`, 'gs');

/** A string that placeholders were written into. */
export interface Pattern {
  /** As Go's `printf` takes it. */
  readonly format: string;
  readonly expressions: readonly string[];
}

/** Undefined when there is no placeholder in it. */
export function parsePattern(text: string): Pattern | undefined {
  const expressions = [...text.matchAll(written)].map(([, expression = '']) => expression);
  if (expressions.length === 0) return undefined;
  const format = text.replaceAll('%', '%%').replace(written, '%v');
  return { format, expressions };
}
