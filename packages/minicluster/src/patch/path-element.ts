/**
 * One step from a value to a part of it, in the spelling of fieldsV1: `f:name` is a field, `k:{"name":"c"}` the item of
 * a list with these keys, `v:"x"` the item of a set, `i:0` a place in a list. The spelling is canonical, so two steps
 * are the same when their texts are.
 */
export type PathElement = string;

/** Names and values of the fields that tell an item of a list from the others. */
export type ItemKey = readonly (readonly [name: string, value: unknown])[];

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(key: ItemKey): PathElement {
  const sorted = key.toSorted(([a], [b]) => compareText(a, b));
  const members = sorted.map(([name, value]) => `${print(name)}:${print(value)}`);
  return `k:{${members.join(',')}}`;
}

export function valueElement(value: unknown): PathElement {
  return `v:${print(value)}`;
}

/** The field a step leads to; undefined if it leads into a list. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** The canonical spelling; undefined for kinds of steps that nobody has thought of yet. */
export function parseElement(text: string): PathElement | undefined {
  if (plainlyCanonical.test(text)) return text;
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text[1] !== ':') throw new SyntaxError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
    case 'i':
      return text;
    case 'v':
      return valueElement(JSON.parse(text.slice(2)));
    case 'k':
      return keyElement(Object.entries(JSON.parse(text.slice(2))));
    default:
      return undefined;
  }
}

/** Nearly all of them, and quicker than to read and print them anew. */
const plainlyCanonical = /^(?:f:|k:\{"\w+":"[\w./-]*"\}$|v:"[\w./-]*"$)/;

/** `.name`, `[name="c"]`, `[="x"]`, `[0]`: how conflicts name a place. */
export function printElement(element: PathElement): string {
  const content = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${content}`;
    case 'v':
      return `[=${printed(JSON.parse(content))}]`;
    case 'k': {
      const fields = Object.entries(JSON.parse(content));
      return `[${fields.map(([name, value]) => `${name}=${printed(value)}`).join(',')}]`;
    }
    default:
      return `[${content}]`;
  }
}

/** Fields by name, then items by key, then values, then places. */
export function compareElements(a: PathElement, b: PathElement): number {
  const [kindA, kindB] = [kinds.indexOf(a[0] ?? ''), kinds.indexOf(b[0] ?? '')];
  if (kindA !== kindB) return kindA - kindB;
  const [textA, textB] = [a.slice(2), b.slice(2)];
  if (a[0] === 'f') return compareText(textA, textB);
  if (a[0] === 'i') return Number(textA) - Number(textB);
  const [valueA, valueB] = [JSON.parse(textA), JSON.parse(textB)];
  return a[0] === 'k' ? compareKeys(valueA, valueB) : compareScalars(valueA, valueB);
}

const kinds = 'fkvi';

function compareKeys(a: object, b: object): number {
  const [entriesA, entriesB] = [Object.entries(a), Object.entries(b)];
  for (const [index, [name, value]] of entriesA.entries()) {
    const other = entriesB[index];
    if (!other) return 1;
    const order = compareText(name, other[0]) || compareScalars(value, other[1]);
    if (order !== 0) return order;
  }
  return entriesA.length - entriesB.length;
}

/** Numbers before texts before truth values. */
function compareScalars(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  const ranks = ['number', 'string', 'boolean'];
  return ranks.indexOf(typeof a) - ranks.indexOf(typeof b) || Number(a) - Number(b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As Go prints JSON: safe to stand inside HTML. */
function print(value: unknown): string {
  const escaped = (character: string) =>
    `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, escaped);
}

function printed(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
