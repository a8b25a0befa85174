import { ownMember } from '@liqo/kube';
/** What a person, or a manifest, got wrong on a command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** How a flag is read. A default makes it optional. */
interface Flag {
  readonly type: 'string' | 'number' | 'boolean' | 'map' | 'list' | 'words';
  readonly default?: string;
  /** Accepted, and then not used. */
  readonly ignored?: boolean;
  readonly help: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

interface ValueTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly map: Readonly<Record<string, string>>;
  readonly list: readonly string[];
  readonly words: readonly string[];
}

export type FlagValues<T extends FlagTable> = {
  readonly [Name in keyof T]: ValueTypes[T[Name]['type']];
};

/**
 * Reads a command line as Go programs do: `--name=value`, `--name value`, one dash or two, `--name` alone for a boolean,
 * `-v4` for a name of one letter. Throws one error about everything that is unknown, missing or malformed.
 */
export function parseFlags<T extends FlagTable>(
  command: string,
  table: T,
  args: readonly string[],
): FlagValues<T> {
  const given = readFlags(args, table);
  const problems: string[] = [...given.problems];
  const values = new Map<string, unknown>();
  for (const [name, flag] of Object.entries(table)) {
    try {
      values.set(name, readValue(name, flag, given.values.get(name) ?? []));
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) {
    throw new UsageError(
      `Cannot run "liqo ${command}": ${problems.join('; ')}; "liqo ${command} --help" lists the flags`,
    );
  }
  return Object.fromEntries(values) as FlagValues<T>;
}

/** The flags on a command line that are accepted and not used, each once. */
export function listIgnoredFlags(table: FlagTable, args: readonly string[]): readonly string[] {
  const given = [...readFlags(args, table).values.keys()];
  return given.filter((name) => ownMember(table, name)?.ignored).map((name) => `--${name}`);
}

/** One line for each flag. */
export function describeFlags(table: FlagTable): string {
  const rows = Object.entries(table).map(([name, { help, default: value }]) => {
    const otherwise = value ? ` (default ${value})` : '';
    return `  --${name.padEnd(36)} ${help}${otherwise}`;
  });
  return rows.join('\n');
}

interface GivenFlags {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly problems: readonly string[];
}

function readFlags(args: readonly string[], table: FlagTable): GivenFlags {
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    const token = readToken(arg, table);
    if (token === 'end') {
      problems.push(...rest.splice(0).map((word) => `"${word}" is not a flag`));
    } else if (typeof token === 'string') {
      problems.push(token);
    } else {
      const value = token.value ?? takeValue(rest);
      if (value === undefined) problems.push(`"${token.said}" needs a value`);
      else values.set(token.name, [...(values.get(token.name) ?? []), value]);
    }
  }
  return { values, problems };
}

interface FlagToken {
  readonly name: string;
  /** With its dashes, as it was given. */
  readonly said: string;
  /** Undefined when the next argument is the value. */
  readonly value: string | undefined;
}

/** A flag of the table, the end of all flags, or what is wrong with the argument. */
function readToken(arg: string, table: FlagTable): FlagToken | 'end' | string {
  if (arg === '--') return 'end';
  const [, said = '', inline] = /^(--?[^=]+)(?:=(.*))?$/s.exec(arg) ?? [];
  if (/^-*$/.test(said)) return `"${arg}" is not a flag`;
  const [, letter = '', attached] = /^-(\w)(\d+)$/.exec(said) ?? [];
  const name = letter || said.replace(/^--?/, '');
  const flag = ownMember(table, name);
  if (!flag) return `unknown flag "${said}"`;
  const implied = flag.type === 'boolean' ? 'true' : undefined;
  return { name, said, value: inline ?? attached ?? implied };
}

function takeValue(rest: string[]): string | undefined {
  return rest[0]?.startsWith('--') ? undefined : rest.shift();
}

function readValue(name: string, flag: Flag, given: readonly string[]): unknown {
  const text = given.at(-1) ?? flag.default;
  if (flag.type === 'list') return given;
  if (flag.type === 'map') return readMap(name, given);
  if (text === undefined) throw new UsageError(`"--${name}" is missing`);
  if (flag.type === 'words') return readWords(name, text);
  if (flag.type === 'string') return readString(name, flag, text);
  if (flag.type === 'boolean') return readBoolean(name, text);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`"--${name}=${text}" is not a whole number`);
}

/** What has to be given has to be something. */
function readString(name: string, flag: Flag, text: string): string {
  if (text !== '' || flag.default !== undefined) return text;
  throw new UsageError(`"--${name}" is empty`);
}

function readBoolean(name: string, text: string): boolean {
  if (['true', '1', 't'].includes(text.toLowerCase())) return true;
  if (['false', '0', 'f'].includes(text.toLowerCase())) return false;
  throw new UsageError(`"--${name}=${text}" is neither true nor false`);
}

/** `a,b`, or as strings of JSON: `"a","b"`. Empty for none. */
function readWords(name: string, text: string): readonly string[] {
  const isJson = text.startsWith('"');
  const words = isJson ? parseJsonWords(name, text) : text.split(',');
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

function parseJsonWords(name: string, text: string): readonly string[] {
  try {
    const words: unknown = JSON.parse(`[${text}]`);
    if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words;
  } catch {
    // Reported below, as what is JSON and no list of strings.
  }
  throw new UsageError(`"--${name}=${text}" is not a list of words`);
}

/** `a=1,b=2`, and again. */
function readMap(name: string, given: readonly string[]): Readonly<Record<string, string>> {
  const pairs = given.flatMap((text) => text.split(',')).filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw new UsageError(`"--${name}=${pair}" is not of the form key=value`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
