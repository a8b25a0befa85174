/** A field selector that can be matched: all requirements must hold, so none of them selects all. */
export type FieldQuery = readonly FieldRequirement[];

interface FieldRequirement {
  /** Such as `metadata.name`. Which fields there are is for the kind to say. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A field selector that means nothing. `message` says which one and why. */
export class FieldSelectorError extends Error {
  override readonly name = 'FieldSelectorError';
}

/**
 * Reads the form of the `fieldSelector` parameter: `a=b,c!=d`, with `==` for `=` and a backslash before each comma,
 * equals sign and backslash of a value. An empty text selects everything.
 */
export function parseFieldSelector(text: string): FieldQuery {
  const terms = splitTerms(text).sort();
  return terms.map((term) => parseTerm(term, text)).filter(saysSomething);
}

/** `read` returns the value of a field; absent is the same as empty. */
export function matchesFields(
  query: FieldQuery,
  read: (field: string) => string | undefined,
): boolean {
  return query.every(({ field, operator, value }) => {
    return ((read(field) ?? '') === value) === (operator === '=');
  });
}

export function formatFieldSelector(query: FieldQuery): string {
  return query.map(({ field, operator, value }) => field + operator + escapeValue(value)).join(',');
}

/** At the commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\.|\\$|[^\\,])+/gs) ?? [];
}

function parseTerm(term: string, text: string): FieldRequirement {
  const [, field, operator, value] = /^(.*?)(!=|==|=)(.*)$/s.exec(term) ?? [];
  if (field === undefined || value === undefined) {
    throw unparsable(text, `"${term}" has none of =, == and !=`);
  }
  if (/^(?:\\[\\,=]|[^\\,=])*$/s.test(value)) {
    return { field, operator: operator === '!=' ? '!=' : '=', value: unescapeValue(value) };
  }
  throw unparsable(
    text,
    `"${value}" needs a backslash before each ",", "=" and "\\", nowhere else`,
  );
}

/** The API server, too, passes over a bare `=`. */
function saysSomething({ field, value }: FieldRequirement): boolean {
  return field !== '' || value !== '';
}

function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function unescapeValue(value: string): string {
  return value.replace(/\\(.)/gs, '$1');
}

function unparsable(text: string, fact: string): FieldSelectorError {
  return new FieldSelectorError(`Cannot parse field selector "${text}": ${fact}`);
}
