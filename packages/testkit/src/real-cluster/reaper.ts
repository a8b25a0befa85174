import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * A folder whose programs end with us. Disposing it and dying without a word are the same thing to the process that
 * guards it: its standard input ends. It then kills every registered program and removes the folder.
 */
export interface Reaper extends AsyncDisposable {
  readonly folder: string;
}

/** Makes the folder, for the eyes of this user alone. */
export async function startReaper(folder: string): Promise<Reaper> {
  const guard = spawn('sh', [join(import.meta.dirname, 'reaper.sh'), folder], {
    cwd: '/',
    // A session of its own: Ctrl-C in a terminal reaches the test, and the test alone.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(guard, 'exit');
  const [first] = await Promise.race([once(guard.stdout, 'data'), exited]);
  if (String(first) !== 'ready\n')
    throw new Error(`Cannot create folder "${folder}" for a cluster`);
  letOwnerEnd(guard);
  return { folder, [Symbol.asyncDispose]: () => reap(guard, exited, folder) };
}

/** A cluster that nobody disposes must not keep its owner's process alive. */
function letOwnerEnd(guard: ChildProcess): void {
  guard.unref();
  for (const stream of [guard.stdin, guard.stdout]) {
    if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
  }
}

async function reap(guard: ChildProcess, exited: Promise<unknown[]>, folder: string) {
  guard.ref();
  guard.stdin?.end();
  const [code] = await exited;
  if (code !== 0)
    throw new Error(`Cannot remove folder "${folder}.gone": it is still being written to`);
}
