import { checkRequirement, type LabelRequirement } from './label-requirement.ts';
import { type LabelQuery, LabelSelectorError, labelQueryOf } from './label-selector.ts';

/**
 * Reads the form of the `labelSelector` parameter: `a=b,c!=d,e in (x,y),f notin (z),g,!h,k>1`. An empty text selects
 * everything.
 */
export function parseLabelSelector(text: string): LabelQuery {
  const tokens = new Tokens(text);
  const requirements: LabelRequirement[] = [];
  while (requirements.length > 0 || !tokens.isAtEnd()) {
    const requirement = readRequirement(tokens);
    const faults = checkRequirement(requirement);
    if (faults.length > 0) throw unparsable(text, faults.join('; '));
    requirements.push(requirement);
    if (tokens.isAtEnd()) break;
    if (!tokens.skip(',')) throw tokens.unexpected('"," or the end');
  }
  return labelQueryOf(requirements);
}

function readRequirement(tokens: Tokens): LabelRequirement {
  if (tokens.skip('!')) return { key: readKey(tokens), operator: '!', values: [] };
  const key = readKey(tokens);
  if (tokens.isAtEnd() || tokens.peek() === ',') return { key, operator: 'exists', values: [] };
  const operator = tokens.peek();
  switch (operator) {
    case '=':
    case '==':
    case '!=':
    case '>':
    case '<':
      tokens.skip(operator);
      return { key, operator, values: [readValue(tokens)] };
    case 'in':
    case 'notin':
      tokens.skip(operator);
      return { key, operator, values: readValues(tokens) };
    default:
      throw tokens.unexpected('=, ==, !=, >, <, in or notin');
  }
}

function readKey(tokens: Tokens): string {
  return tokens.takeWord() ?? throwing(tokens.unexpected('the key of a label'));
}

/** A value that is missing is the empty one: `a=,b` and `a=`. */
function readValue(tokens: Tokens): string {
  if (tokens.isAtEnd() || tokens.peek() === ',') return '';
  return tokens.takeWord() ?? throwing(tokens.unexpected('the value of a label'));
}

/** Values that are missing are empty here too: `()` and `(a,)` have one. */
function readValues(tokens: Tokens): string[] {
  if (!tokens.skip('(')) throw tokens.unexpected('"("');
  const values = new Set<string>();
  do {
    values.add(tokens.takeWord() ?? '');
  } while (tokens.skip(','));
  if (!tokens.skip(')')) throw tokens.unexpected('"," or ")"');
  return [...values].sort();
}

/** The words and signs of a selector, to be taken one after the other. */
class Tokens {
  readonly #text: string;
  readonly #tokens: readonly string[];
  #position = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = text.match(/[=!]=|[=!(),<>]|[^=!(),<> \t\r\n]+/g) ?? [];
  }

  isAtEnd(): boolean {
    return this.#position >= this.#tokens.length;
  }

  peek(): string | undefined {
    return this.#tokens[this.#position];
  }

  /** Takes the token if it is this one. */
  skip(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#position += 1;
    return true;
  }

  /** Takes the token if it is a key or a value, and not a sign. */
  takeWord(): string | undefined {
    const token = this.peek();
    if (token === undefined || /[=!(),<>]/.test(token)) return undefined;
    this.#position += 1;
    return token;
  }

  unexpected(expected: string): LabelSelectorError {
    const found = this.isAtEnd() ? 'it ends' : `it has "${this.peek()}"`;
    return unparsable(this.#text, `${found} where ${expected} is expected`);
  }
}

function unparsable(text: string, fact: string): LabelSelectorError {
  return new LabelSelectorError(`Cannot parse label selector "${text}": ${fact}`);
}

function throwing(error: Error): never {
  throw error;
}
