import type { FieldProblem } from '../../rest/refusal.ts';

/** What is wrong with a value, by its name relative to where validation began; no name for a fault of the whole. */
export interface ValueProblem {
  readonly name: string | undefined;
  readonly reason: FieldProblem['reason'];
  /** As in `FieldProblem`: without the field. */
  readonly message: string;
}

/** A problem without a field, as the real server spells it. */
export const noField = '<nil>';

/** Places problems under `prefix`, the field that was validated; each is told once. */
export function placeProblems(problems: readonly ValueProblem[], prefix = ''): FieldProblem[] {
  const seen = new Map<string, FieldProblem>();
  for (const { name, reason, message } of problems) {
    const field = fieldOf(prefix, name?.replace(/^\./, '') ?? '');
    seen.set(`${field} ${message}`, { field, reason, message });
  }
  return [...seen.values()];
}

function fieldOf(prefix: string, name: string): string {
  if (name === '') return prefix || noField;
  return prefix ? `${prefix}.${name}` : name;
}

/** `fact` follows the name: "should match …". `shown` is the value as the message quotes it. */
export function invalidValue(name: string, shown: string, fact: string): ValueProblem {
  const message = `Invalid value: ${shown}: ${name} in body ${fact}`;
  return { name, reason: 'FieldValueInvalid', message };
}

/** `found` is the type of the value, or the value itself when its format is wrong. */
export function wrongType(name: string, expected: string, found: string): ValueProblem {
  const shown = JSON.stringify(found);
  const message = `Invalid value: ${shown}: ${name} in body must be of type ${expected}: ${shown}`;
  return { name, reason: 'FieldValueTypeInvalid', message };
}

export function missing(name: string): ValueProblem {
  return { name, reason: 'FieldValueRequired', message: 'Required value' };
}

export function notListed(name: string, value: unknown, listed: readonly unknown[]): ValueProblem {
  const supported = listed.map((one) =>
    JSON.stringify(typeof one === 'string' ? one : JSON.stringify(one)),
  );
  const message = `Unsupported value: ${JSON.stringify(value)}: supported values: ${supported.join(', ')}`;
  return { name, reason: 'FieldValueNotSupported', message };
}

export function tooLong(name: string, limit: number): ValueProblem {
  const message = `Too long: may not be more than ${limit} bytes`;
  return { name, reason: 'FieldValueTooLong', message };
}

/** Of items or of properties. */
export function tooMany(name: string, count: number, limit: number): ValueProblem {
  const message = `Too many: ${count}: must have at most ${limit} item${limit === 1 ? '' : 's'}`;
  const reason: string = 'FieldValueTooMany';
  return { name, reason: reason as FieldProblem['reason'], message };
}

/** A fault of several schemas together: the real server names the place in the text alone. */
export function unsatisfied(name: string, fact: string): ValueProblem {
  const message = `Invalid value: "": ${JSON.stringify(name)} ${fact}`;
  return { name: undefined, reason: 'FieldValueInvalid', message };
}
