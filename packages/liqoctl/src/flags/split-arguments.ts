import { ownMember } from '@liqo/kube';
import type { Flag, FlagTable } from './flag.ts';

/** A command line, taken apart: nothing of it is judged yet. */
export type Argument =
  | { readonly type: 'word'; readonly text: string }
  | {
      readonly type: 'flag';
      /** As it was written: `--output` or `-o`. */
      readonly written: string;
      /** The flag it is, if there is one. */
      readonly name: string | undefined;
      readonly value: string | undefined;
    };

/** Reads `--name value`, `--name=value`, `-n value`, `-n=value` and `-nvalue`; what follows `--` is no flag. */
export function splitArguments(args: readonly string[], table: FlagTable): readonly Argument[] {
  const found: Argument[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') return [...found, ...args.slice(i + 1).map(word)];
    if (!arg.startsWith('-') || arg === '-') {
      found.push(word(arg));
      continue;
    }
    const { written, name, inline } = arg.startsWith('--') ? long(arg, table) : short(arg, table);
    const flag = name === undefined ? undefined : ownMember(table, name);
    const next = args[i + 1];
    const takesNext = flag && flag.type !== 'boolean' && inline === undefined && isValue(next);
    if (takesNext) i += 1;
    const value = inline ?? (takesNext ? next : undefined) ?? implied(flag);
    found.push({ type: 'flag', written, name, value });
  }
  return found;
}

interface WrittenFlag {
  readonly written: string;
  readonly name: string | undefined;
  readonly inline: string | undefined;
}

function long(arg: string, table: FlagTable): WrittenFlag {
  const [written = '', inline] = cut(arg, arg.indexOf('='), 1);
  const name = written.slice(2);
  return { written, name: Object.hasOwn(table, name) ? name : undefined, inline };
}

function short(arg: string, table: FlagTable): WrittenFlag {
  const letter = arg.slice(1, 2);
  const [name] = Object.entries(table).find(([, flag]) => flag.short === letter) ?? [];
  const rest = arg.slice(2).replace(/^=/, '');
  const inline = name !== undefined && arg.length > 2 ? rest : undefined;
  return { written: name === undefined ? arg : `-${letter}`, name, inline };
}

function cut(text: string, at: number, skip: number): readonly [string, string | undefined] {
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + skip)];
}

/** A value may start with a dash, as a negative number does; one that looks like a long flag is one. */
function isValue(arg: string | undefined): boolean {
  return arg !== undefined && !arg.startsWith('--');
}

function implied(flag: Flag | undefined): string | undefined {
  return flag?.type === 'boolean' ? 'true' : undefined;
}

function word(text: string): Argument {
  return { type: 'word', text };
}
