import {
  checkQualifiedName,
  compareQuantities,
  durationToMs,
  isCountedResource,
  isWholeQuantity,
  parseDuration,
  parseQuantity,
} from '@liqo/kube';
import type { Flag } from './flag.ts';

/** The value of a flag, of what was given for it. Throws what is wrong, as a clause. */
export function readValue(name: string, flag: Flag, given: readonly string[]): unknown {
  switch (flag.type) {
    case 'list':
      return given.flatMap((text) => text.split(',')).map((item) => checked(name, flag, item));
    case 'repeated':
      return given.map((item) => checked(name, flag, item));
    case 'map':
      return readMap(name, flag, given);
    case 'quantities':
      return readQuantities(name, flag, given);
    case 'boolean':
      return readBoolean(name, given.at(-1) ?? flag.default ?? 'false');
    case 'text':
    case 'choice':
    case 'duration':
    case 'quantity':
      return readSingle(name, flag, given.at(-1) ?? flag.default);
  }
}

function readSingle(name: string, flag: Flag, text: string | undefined): unknown {
  if (text === undefined) {
    if (flag.required) throw new Error(`"--${name}" is missing`);
    return undefined;
  }
  if (flag.type === 'choice') return readChoice(name, flag.choices ?? [], text);
  if (flag.type === 'duration') return readDuration(name, text);
  if (flag.type === 'quantity') return readQuantity(`--${name}`, name, text);
  return checked(name, flag, text);
}

function checked(name: string, { check }: Flag, text: string): string {
  if (text === '') throw new Error(`"--${name}" is empty`);
  const [fault] = check?.(text) ?? [];
  if (fault) throw new Error(`"--${name}=${text}" ${fault}`);
  return text;
}

function readChoice(name: string, choices: readonly string[], text: string): string {
  const choice = choices.find((one) => one.toLowerCase() === text.toLowerCase());
  if (choice !== undefined) return choice;
  throw new Error(`"--${name}=${text}" is not one of ${choices.join(', ')}`);
}

function readBoolean(name: string, text: string): boolean {
  if (['true', '1', 't'].includes(text.toLowerCase())) return true;
  if (['false', '0', 'f'].includes(text.toLowerCase())) return false;
  throw new Error(`"--${name}=${text}" is neither true nor false`);
}

const longestMs = 24 * 3_600_000;

function readDuration(name: string, text: string): number {
  const ms = durationToMs(said(name, () => parseDuration(text)));
  if (ms > 0 && ms <= longestMs) return ms;
  throw new Error(`"--${name}=${text}" is not between 0 and 24 hours`);
}

/** A flag for one resource is named after it. */
function readQuantity(flag: string, resource: string, text: string): string {
  const quantity = said(flag.slice(2), () => parseQuantity(text));
  if (compareQuantities(quantity, parseQuantity('0')) < 0) {
    throw new Error(`"${flag}=${text}" is negative`);
  }
  if (isCountedResource(resource) && !isWholeQuantity(text)) {
    throw new Error(`"${flag}=${text}" is not a whole number: ${resource} cannot be divided`);
  }
  return text;
}

/** The parsers of quantities and durations say what cannot be parsed, and why; here it is a clause after the flag. */
function said<T>(name: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`"--${name}": ${message.replace(/^Cannot/, 'cannot')}`, { cause: error });
  }
}

/** `a=1,b=2`, and again. */
function readMap(
  name: string,
  flag: Flag,
  given: readonly string[],
): Readonly<Record<string, string>> {
  const pairs = given.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
  return Object.fromEntries(pairs.map((pair) => readPair(name, flag, pair)));
}

function readPair(name: string, { check }: Flag, pair: string): readonly [string, string] {
  const at = pair.indexOf('=');
  if (at < 1) throw new Error(`"--${name}=${pair}" is not of the form key=value`);
  const key = pair.slice(0, at);
  const [fault] = checkQualifiedName(key);
  if (fault) throw new Error(`the key "${key}" of "--${name}" ${fault}`);
  const value = pair.slice(at + 1);
  const [valueFault] = check?.(value) ?? [];
  if (valueFault) throw new Error(`the value "${value}" of "--${name}" ${valueFault}`);
  return [key, value];
}

function readQuantities(
  name: string,
  flag: Flag,
  given: readonly string[],
): Readonly<Record<string, string>> {
  const quantities = readMap(name, flag, given);
  for (const [resource, quantity] of Object.entries(quantities)) {
    readQuantity(`--${name}=${resource}`, resource, quantity);
  }
  return quantities;
}
