/**
 * What `fieldValidation` warns of or refuses, in the order of the document: unknown fields, which decoding has found,
 * and fields that are there twice, which only the text of the document still shows. `value` is what the text says.
 */
export function strictProblems(
  text: string,
  value: unknown,
  unknownFields: readonly string[],
): string[] {
  if (unknownFields.length === 0 && saysAllOnce(text, value)) return [];
  const scanner = new FieldScanner(text, new Set(unknownFields));
  scanner.scan();
  return [...scanner.problems];
}

/** What comes out as it went in has nothing in it twice. Most bodies do; the others have to be looked at closely. */
function saysAllOnce(text: string, value: unknown): boolean {
  return JSON.stringify(value) === text;
}

/** How strict problems are told when they are an error. */
export function strictDecodingError(problems: readonly string[]): string {
  return `strict decoding error: ${problems.join(', ')}`;
}

const token = /\s*(?:("(?:[^"\\]|\\.)*")|([{}[\],:])|([^\s{}[\],:"]+))/y;

class FieldScanner {
  /** Each is told once. */
  readonly problems = new Set<string>();
  readonly #text: string;
  readonly #unknown: ReadonlySet<string>;
  #position = 0;

  constructor(text: string, unknown: ReadonlySet<string>) {
    this.#text = text;
    this.#unknown = unknown;
  }

  scan(): void {
    this.#value(this.#next(), '', true);
  }

  #next(): string {
    token.lastIndex = this.#position;
    const match = token.exec(this.#text);
    if (!match) return '';
    this.#position = token.lastIndex;
    return match[1] ?? match[2] ?? match[3] ?? '';
  }

  /** Below an unknown field nothing is known, so nothing is told. */
  #value(first: string, path: string, tells: boolean): void {
    if (first === '{') this.#object(path, tells);
    else if (first === '[') this.#list(path, tells);
  }

  #object(path: string, tells: boolean): void {
    const seen = new Set<string>();
    for (let name = this.#next(); name !== '}' && name !== ''; name = this.#next()) {
      if (name === ',') continue;
      const field = JSON.parse(name) as string;
      const fieldPath = path === '' ? field : `${path}.${field}`;
      const isKnown = !this.#unknown.has(fieldPath);
      if (tells && !isKnown) this.problems.add(`unknown field "${fieldPath}"`);
      else if (tells && seen.has(field)) this.problems.add(`duplicate field "${fieldPath}"`);
      seen.add(field);
      this.#next();
      this.#value(this.#next(), fieldPath, tells && isKnown);
    }
  }

  #list(path: string, tells: boolean): void {
    let index = 0;
    for (let first = this.#next(); first !== ']' && first !== ''; first = this.#next()) {
      if (first === ',') continue;
      this.#value(first, `${path}[${index}]`, tells);
      index += 1;
    }
  }
}
