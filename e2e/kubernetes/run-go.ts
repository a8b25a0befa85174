import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Environment } from '../../packages/testkit/src/real-cluster/assets-folder.ts';
import { UserError } from './user-error.ts';

export interface GoRun {
  readonly args: readonly string[];
  /** The folder of the Go module. */
  readonly module: string;
  readonly env: Environment;
  readonly onLine?: (line: string) => void;
}

/** Go ran, and said no. `said` is the end of what it wrote, without its progress. */
export class GoError extends Error {
  override readonly name = 'GoError';
  readonly said: string;

  constructor(command: string, said: string) {
    super(`Cannot run "${command}": ${said}`);
    this.said = said;
  }
}

/** Runs the Go command to its end, also when the signal aborts: nothing of it writes files any more afterwards. */
export async function runGo(run: GoRun, signal?: AbortSignal): Promise<string> {
  signal?.throwIfAborted();
  const go = spawn('go', run.args, {
    cwd: run.module,
    env: { ...run.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
    // A process group of its own, to end Go's compilers with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => go.pid && process.kill(-go.pid, 'SIGKILL');
  signal?.addEventListener('abort', end);
  try {
    return await outcome(go, run);
  } finally {
    signal?.removeEventListener('abort', end);
    signal?.throwIfAborted();
  }
}

async function outcome(go: ChildProcess & { stdout: Readable; stderr: Readable }, run: GoRun) {
  const [output, said, code] = await Promise.all([
    text(go.stdout),
    listen(go.stderr, run.onLine),
    exitCode(go),
  ]);
  if (code !== 0) throw new GoError(`go ${run.args[0]}`, said);
  return output.trim();
}

async function listen(stderr: Readable, onLine: GoRun['onLine']): Promise<string> {
  const said: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    onLine?.(line);
    if (!isProgress(line)) said.push(line);
  }
  return said.slice(-15).join('\n');
}

/** With `-v`, Go prints the import path of each package that it compiles, alone on a line. */
function isProgress(line: string): boolean {
  return /^[\w./~-]+$/.test(line) || line.startsWith('go: downloading ');
}

async function exitCode(go: ChildProcess): Promise<number | null> {
  try {
    const [code] = await once(go, 'close');
    return code;
  } catch (error) {
    throw new UserError(
      'Cannot build Kubernetes: there is no Go on the PATH. Install it, or set ' +
        'KUBEBUILDER_ASSETS to a folder that holds the programs already.',
      { cause: error },
    );
  }
}
