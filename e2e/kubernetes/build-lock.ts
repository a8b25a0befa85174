import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identifyProcess } from '@liqo/runtime';

export interface LockOptions {
  /** Told which process is in the way: at once, and then every half minute. */
  readonly onWait: (pid: number) => void;
}

const tellEveryMs = 30_000;
const lookEveryMs = 200;

/**
 * One builder at a time, across processes. The lock is a directory that holds one empty file, named after the process
 * that owns it. It appears with the file already in it (a rename), and a waiter inherits it from a dead owner by renaming
 * that file after itself, which can succeed for one waiter only.
 */
export async function takeLock(
  path: string,
  options: LockOptions,
  signal?: AbortSignal,
): Promise<Disposable> {
  const self = identifyProcess(process.pid) ?? `${process.pid}`;
  mkdirSync(dirname(path), { recursive: true });
  for (let waitedMs = 0; !tryLock(path, self); waitedMs += lookEveryMs) {
    const owner = ownerOf(path);
    if (owner && waitedMs % tellEveryMs === 0) options.onWait(Number.parseInt(owner, 10));
    await delay(lookEveryMs, undefined, { signal });
  }
  return { [Symbol.dispose]: () => unlock(path, self) };
}

function tryLock(path: string, self: string): boolean {
  const owner = ownerOf(path);
  if (owner !== undefined) return inherit(path, owner, self);
  const own = mkdtempSync(`${path}-`);
  writeFileSync(join(own, self), '');
  if (winsRace(() => renameSync(own, path))) return true;
  rmSync(own, { recursive: true });
  return false;
}

function inherit(path: string, owner: string, self: string): boolean {
  if (identifyProcess(Number.parseInt(owner, 10)) === owner) return false;
  return winsRace(() => renameSync(join(path, owner), join(path, self)));
}

/** Between the two steps a newcomer may take the empty directory: its file then keeps it. */
function unlock(path: string, self: string): void {
  rmSync(join(path, self));
  winsRace(() => rmdirSync(path));
}

/** Nothing when the lock is free, or is being released in this very moment. */
function ownerOf(path: string): string | undefined {
  try {
    return readdirSync(path)[0];
  } catch {
    return undefined;
  }
}

/** Losing a name to somebody else is an answer here, not an error. */
function winsRace(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) return false;
    throw error;
  }
}
