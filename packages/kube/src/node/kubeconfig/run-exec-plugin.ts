import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { ExecPlugin } from './exec-plugin.ts';
import { ExecPluginError } from './exec-plugin-error.ts';
import { isMissingFile, whyUnreadable } from './file-problem.ts';

export interface PluginRun {
  /** Everything the program finds in its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the program gets the terminal as its standard input. */
  readonly interactive: boolean;
  /** Gets what the program writes to standard error while it does: a login prompt has to reach the person. */
  readonly onMessage?: ((text: string) => void) | undefined;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A credential has a few kilobytes; a plugin that prints more than this is broken. */
const mostOutput = 1024 * 1024;
/** How much of its last words is quoted in an error. */
const mostQuoted = 1000;

/** Runs a plugin to its end and resolves to its standard output. When the signal aborts it is killed. */
export async function runExecPlugin(
  plugin: ExecPlugin,
  run: PluginRun,
  signal: AbortSignal,
): Promise<string> {
  signal.throwIfAborted();
  const child = start(plugin, run);
  let stdout = '';
  let lastWords = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.length > mostOutput) child.kill('SIGKILL');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-mostQuoted);
    run.onMessage?.(text);
  });
  const ending = await endOf(plugin, child, signal);
  if (stdout.length > mostOutput) throw new ExecPluginError(plugin, 'it printed far too much');
  if (ending === 'exited with code 0') return stdout;
  throw new ExecPluginError(plugin, `it ${ending}${quoted(lastWords)}`);
}

function start(plugin: ExecPlugin, { env, interactive }: PluginRun): Child {
  try {
    return spawn(plugin.command, plugin.args, {
      env,
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw startProblem(plugin, error);
  }
}

function endOf(plugin: ExecPlugin, child: Child, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      kill(child);
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('error', (error) => reject(startProblem(plugin, error)));
    child.once('close', (code, killer) => {
      signal.removeEventListener('abort', onAbort);
      resolve(code === null ? `was ended by ${killer}` : `exited with code ${code}`);
    });
  });
}

/** Its pipes are let go of as well: a program it started may hold the other ends for as long as it likes. */
function kill(child: Child): void {
  child.kill('SIGKILL');
  child.stdout.destroy();
  child.stderr.destroy();
}

function startProblem(plugin: ExecPlugin, cause: unknown): ExecPluginError {
  if (!isMissingFile(cause)) {
    return new ExecPluginError(plugin, `it cannot be started: ${whyUnreadable(cause)}`, { cause });
  }
  const hint = plugin.installHint.trim() || 'install it, or correct the command in the kubeconfig';
  return new ExecPluginError(plugin, `there is no such program; ${hint}`, { cause });
}

function quoted(words: string): string {
  const text = words.trim();
  return text ? `, saying: ${text}` : '';
}
