import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Where somebody sits: a home of their own, the unpacked shells, and the programs that are found by name. */
export interface Desk {
  readonly home: string;
  /** The folder of the unpacked shells. */
  readonly shells: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A shell that has learned to complete liqoctl in the way that `liqoctl completion --help` shows. */
export interface Shell {
  /** What is offered when the key is pressed at the end of the line. */
  pressTab(line: string): Promise<readonly string[]>;
}

export type ShellName = 'bash' | 'zsh' | 'fish';

interface Recipe {
  /** Where the script goes in the home folder. */
  readonly scriptFile: string;
  /** Further files of the home folder, by their paths. */
  readonly files?: (desk: Desk) => Readonly<Record<string, string>>;
  /** What is run with the line as its last argument, and prints the candidates, with a tab before what is said of them. */
  readonly command: (desk: Desk) => readonly [string, ...string[]];
}

export async function learnCompletion(name: ShellName, desk: Desk): Promise<Shell> {
  const { scriptFile, files, command } = recipes[name];
  const environment = { ...desk.env, ...environmentOf(desk) };
  const run = async (program: string, args: readonly string[]) => {
    const options = { cwd: desk.home, env: environment, timeout: 120_000 };
    return (await execute(program, args, options)).stdout;
  };
  const script = await run('liqoctl', ['completion', name]);
  for (const [path, text] of Object.entries({ ...files?.(desk), [scriptFile]: script })) {
    mkdirSync(dirname(join(desk.home, path)), { recursive: true });
    writeFileSync(join(desk.home, path), text);
  }
  const [program, ...args] = command(desk);
  return {
    pressTab: async (line) => {
      const said = await run(program, [...args, line]);
      const candidates = Array.from(said.matchAll(/^[^\t\n]+/gm), ([candidate]) => candidate);
      return [...new Set(candidates)].toSorted();
    },
  };
}

/** The shells are not where they were built for: their libraries and modules have to be pointed out. */
function environmentOf({ home, shells }: Desk): Record<string, string> {
  const functions = join(shells, 'usr/share/zsh/functions');
  const folders = readdirSync(functions, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));
  return {
    HOME: home,
    ZDOTDIR: home,
    FPATH: folders.join(':'),
    LD_LIBRARY_PATH: librariesOf(shells),
  };
}

function librariesOf(shells: string): string {
  const parent = join(shells, 'usr/lib');
  const name = readdirSync(parent).find((folder) => /-linux-gnu\w*$/.test(folder)) ?? '';
  return join(parent, name);
}

/** Plays readline, which hands the words of the line to the function that `complete` was told. */
const bashScript = `
source ~/liqoctl.bash
read -ra COMP_WORDS <<<"$1"
[[ $1 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
[[ $(complete -p liqoctl) =~ -F\\ ([^ ]+) ]] && "\${BASH_REMATCH[1]}"
printf '%s\\n' "\${COMPREPLY[@]}"
`;

/** Its completion needs a terminal: types into one, in which a shell tells what is offered. */
const zshTypist = `
zmodload zsh/zpty
zpty shell $ZSH --no-global-rcs -i
zpty -r shell said '*is ready*'
zpty -w -n shell "$1"$'\\t'
zpty -r shell said '*is over*'
print -rl -- \${\${(M)\${(f)said//$'\\r'}:#offered:*}#offered:}
`;

const zshStart = `
fpath=(~/.zsh/completions $fpath)
autoload -Uz compinit
compinit -D -u
compadd() {
  local -a offered
  builtin compadd -O offered "$@"
  print -rl -- '' offered:\${^offered}
  builtin compadd "$@"
}
press() {
  zle complete-word
  print -r -- is ov""er
}
zle -N press
bindkey '^I' press
print is rea""dy
`;

const fishScript = `
source $__fish_data_dir/config.fish
complete -C $argv[1]
`;

const recipes: Readonly<Record<ShellName, Recipe>> = {
  bash: {
    scriptFile: 'liqoctl.bash',
    command: () => ['bash', '--norc', '-c', bashScript, 'bash'],
  },
  zsh: {
    scriptFile: '.zsh/completions/_liqoctl',
    files: ({ shells }) => ({
      '.zshenv': `module_path=(${librariesOf(shells)}/zsh/*)\nZSH=${join(shells, 'bin/zsh')}\n`,
      '.zshrc': zshStart,
    }),
    command: ({ shells }) => [join(shells, 'bin/zsh'), '--no-global-rcs', '-c', zshTypist, 'zsh'],
  },
  fish: {
    scriptFile: '.config/fish/completions/liqoctl.fish',
    command: ({ shells }) => {
      const data = `set -g __fish_data_dir ${join(shells, 'usr/share/fish')}`;
      return [join(shells, 'usr/bin/fish'), '-c', `${data}${fishScript}`];
    },
  },
};
