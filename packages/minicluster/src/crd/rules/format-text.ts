import { celFault } from './cel-fault.ts';

const verb = /%(?:%|(?:\.(?<precision>\d+))?(?<letter>[a-zA-Z]))/g;

/** `'%s has %d'.format([name, count])`: `%s` any value, `%d` integers, `%f` and `%e` with a precision, `%x`, `%b`. */
export function formatText(template: string, values: readonly unknown[]): string {
  let next = 0;
  return template.replaceAll(verb, (whole, ...rest) => {
    if (whole === '%%') return '%';
    const { precision = '6', letter = '' } = rest.at(-1);
    if (next >= values.length) throw celFault(`index ${next} out of range`);
    return formatOne(letter, Number(precision), values[next++]);
  });
}

function formatOne(letter: string, precision: number, value: unknown): string {
  switch (letter) {
    case 's':
      return printValue(value);
    case 'd':
      return String(value);
    case 'f':
      return Number(value).toFixed(precision);
    case 'e':
      return Number(value).toExponential(precision);
    case 'x':
      return BigInt(value as bigint).toString(16);
    case 'b':
      return BigInt(value as bigint).toString(2);
    default:
      throw celFault(
        `could not parse formatting clause: unrecognized formatting clause "${letter}"`,
      );
  }
}

function printValue(value: unknown): string {
  if (Array.isArray(value) || value instanceof Set)
    return `[${[...value].map(printMember).join(', ')}]`;
  if (value instanceof Map) {
    const members = [...value].map(([key, member]) => [printMember(key), printMember(member)]);
    return `{${members
      .map((pair) => pair.join(':'))
      .sort()
      .join(', ')}}`;
  }
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  return String(value);
}

/** Texts inside of lists and maps are quoted. */
function printMember(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : printValue(value);
}
