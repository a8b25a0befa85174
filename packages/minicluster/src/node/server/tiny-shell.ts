import { sleep } from '@liqo/kube';
import { tar, testPath } from './file-programs.ts';
import { parseShellLine } from './shell-words.ts';
import type { ShellWorld } from './shell-world.ts';

/** Containers whose image is not run for real have these programs and no others. */
type Builtin = (args: readonly string[], world: ShellWorld) => number | Promise<number>;

/** The exit code of a command, or undefined when there is no such program. */
export async function runInContainer(
  [program = '', ...args]: readonly string[],
  world: ShellWorld,
): Promise<number | undefined> {
  const name = program.replace(/^(\/usr)?\/bin\//, '');
  return Object.hasOwn(builtins, name) ? builtins[name]?.(args, world) : undefined;
}

const builtins: Readonly<Record<string, Builtin>> = {
  true: () => 0,
  false: () => 1,
  echo: async (args, world) => {
    const isBare = args[0] === '-n';
    await world.stdout(`${args.slice(isBare ? 1 : 0).join(' ')}${isBare ? '' : '\n'}`);
    return 0;
  },
  cat: concatenate,
  env: async (_, world) => {
    for (const [name, value] of Object.entries(world.env)) await world.stdout(`${name}=${value}\n`);
    return 0;
  },
  printenv: async ([name = ''], world) => {
    const value = world.env[name];
    if (value === undefined) return 1;
    await world.stdout(`${value}\n`);
    return 0;
  },
  hostname: async (_, world) => {
    await world.stdout(`${world.env.HOSTNAME ?? ''}\n`);
    return 0;
  },
  ls: listFiles,
  sleep: async ([seconds = '0'], world) => {
    await sleep(world.clock, Number.parseFloat(seconds) * 1000, world.signal);
    return 0;
  },
  tar,
  test: testPath,
  sh: runShell,
  bash: runShell,
};

async function concatenate(args: readonly string[], world: ShellWorld): Promise<number> {
  let exitCode = 0;
  for (const path of args.length > 0 ? args : ['-']) {
    const content = world.files.get(path);
    if (path === '-') for await (const chunk of world.stdin) await world.stdout(chunk);
    else if (content !== undefined) await world.stdout(content);
    else {
      await world.stderr(`cat: ${path}: No such file or directory\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}

async function listFiles([folder = '/']: readonly string[], world: ShellWorld): Promise<number> {
  const base = folder.endsWith('/') ? folder : `${folder}/`;
  const below = [...world.files.keys()].filter((path) => path.startsWith(base));
  const names = new Set(below.map((path) => path.slice(base.length).split('/')[0]));
  if (names.size === 0 && folder !== '/') {
    await world.stderr(`ls: ${folder}: No such file or directory\n`);
    return 2;
  }
  for (const name of [...names].sort()) await world.stdout(`${name}\n`);
  return 0;
}

const prompt = '# ';

/** `sh -c line`, or lines from the standard input until it ends or says `exit`. */
async function runShell([flag, line = '']: readonly string[], world: ShellWorld): Promise<number> {
  if (flag === '-c') return (await runLine(line, world)).exitCode;
  const ask = async () => (world.isTerminal ? world.stdout(prompt) : undefined);
  let exitCode = 0;
  await ask();
  for await (const typed of linesOf(world.stdin)) {
    const result = await runLine(typed, world);
    exitCode = result.exitCode;
    if (result.exits) break;
    await ask();
  }
  return exitCode;
}

interface LineResult {
  readonly exitCode: number;
  readonly exits: boolean;
}

async function runLine(line: string, world: ShellWorld): Promise<LineResult> {
  let exitCode = 0;
  for (const { runs, words } of parseShellLine(line, world.env)) {
    const isSkipped = exitCode === 0 ? runs === 'on-failure' : runs === 'on-success';
    if (isSkipped) continue;
    const [program = '', code] = words;
    if (program === 'exit') return { exitCode: Number(code ?? exitCode), exits: true };
    const result = await runInContainer(words, world);
    if (result === undefined) await world.stderr(`sh: ${program}: not found\n`);
    exitCode = result ?? 127;
  }
  return { exitCode, exits: false };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}
