import { parseArgs } from 'node:util';

/** What a person, or a manifest, got wrong on a command line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** How a flag is read. A default makes it optional. */
interface Flag {
  readonly type: 'string' | 'number' | 'boolean' | 'map' | 'list';
  readonly default?: string;
  readonly help: string;
}

export type FlagTable = Readonly<Record<string, Flag>>;

interface ValueTypes {
  readonly string: string;
  readonly number: number;
  readonly boolean: boolean;
  readonly map: Readonly<Record<string, string>>;
  readonly list: readonly string[];
}

export type FlagValues<T extends FlagTable> = {
  readonly [Name in keyof T]: ValueTypes[T[Name]['type']];
};

/** Reads `--name=value` and `--name value`. Whatever is unknown, missing or malformed is said, all at once. */
export function parseFlags<T extends FlagTable>(
  command: string,
  table: T,
  args: readonly string[],
): FlagValues<T> {
  const given = readFlags(args, table);
  const problems: string[] = [...given.problems];
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(table)) {
    try {
      values[name] = readValue(name, flag, given.values.get(name) ?? []);
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (problems.length > 0) {
    throw new UsageError(
      `Cannot run "liqo ${command}": ${problems.join('; ')}; "liqo ${command} --help" lists the flags`,
    );
  }
  return values as FlagValues<T>;
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
  const options = Object.fromEntries(
    Object.keys(table).map((name) => [name, { type: 'string', multiple: true } as const]),
  );
  const { tokens } = parseArgs({
    args: args.map((arg) => completeBoolean(arg, table)),
    options,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const problems: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') problems.push(`"${token.value}" is not a flag`);
    if (token.kind !== 'option') continue;
    const { name, rawName, value, inlineValue } = token;
    const isNextFlag = !inlineValue && value?.startsWith('--');
    if (!Object.hasOwn(table, name)) problems.push(`unknown flag "${rawName}"`);
    else if (value === undefined || isNextFlag) problems.push(`"${rawName}" needs a value`);
    else values.set(name, [...(values.get(name) ?? []), value]);
  }
  return { values, problems };
}

/** `--metrics-enabled` means `--metrics-enabled=true`. */
function completeBoolean(arg: string, table: FlagTable): string {
  const name = arg.replace(/^--/, '');
  return Object.hasOwn(table, name) && table[name]?.type === 'boolean' ? `${arg}=true` : arg;
}

function readValue(name: string, flag: Flag, given: readonly string[]): unknown {
  const text = given.at(-1) ?? flag.default;
  if (flag.type === 'list') return given;
  if (flag.type === 'map') return readMap(name, given);
  if (text === undefined) throw new UsageError(`"--${name}" is missing`);
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
