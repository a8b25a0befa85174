/** A command of a line, and when it is run: after the one before in any case, if that succeeded, or if it failed. */
export interface ShellCommand {
  readonly runs: 'always' | 'on-failure' | 'on-success';
  readonly words: readonly string[];
}

const separators: Readonly<Record<string, ShellCommand['runs']>> = {
  ';': 'always',
  '\n': 'always',
  '&&': 'on-success',
  '||': 'on-failure',
};

/** Splits a line into commands and words: quotes, backslashes, `$NAME` and `${NAME}`, `;`, `&&` and `||`. */
export function parseShellLine(
  line: string,
  env: Readonly<Record<string, string>>,
): readonly ShellCommand[] {
  const commands: ShellCommand[] = [];
  let runs: ShellCommand['runs'] = 'always';
  let words: string[] = [];
  for (const token of tokens(line)) {
    const separator = separators[token];
    if (separator === undefined) {
      words.push(expandWord(token, env));
      continue;
    }
    if (words.length > 0) commands.push({ runs, words });
    runs = separator;
    words = [];
  }
  return words.length > 0 ? [...commands, { runs, words }] : commands;
}

function tokens(line: string): readonly string[] {
  return line.match(/&&|\|\||[;\n]|(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s;&|'"\\])+/g) ?? [];
}

function expandWord(token: string, env: Readonly<Record<string, string>>): string {
  const parts = token.match(/'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^'"\\]+/g) ?? [];
  return parts.map((part) => expandPart(part, env)).join('');
}

function expandPart(part: string, env: Readonly<Record<string, string>>): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('\\')) return part.slice(1);
  const isQuoted = part.startsWith('"');
  const text = isQuoted ? part.slice(1, -1).replace(/\\(["\\$`])/g, '$1') : part;
  return text.replace(/\$(?:\{(\w+)\}|(\w+))/g, (_, braced, bare) => env[braced ?? bare] ?? '');
}
