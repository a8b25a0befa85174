import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { identifyProcess } from '@liqo/runtime';

/** The process that made a file, in terms that stay true when the process has ended. */
export interface FileOwner {
  readonly host: string;
  /** Another one after every boot; empty where the system has none. */
  readonly boot: string;
  /** In which the pid counts: each container has its own. Empty where the system has none. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** The pid and when the process started: pids are used again. */
  readonly process: string;
}

/** What can be known from here of the processes of this machine. */
export interface Machine extends Pick<FileOwner, 'host' | 'boot' | 'pidNamespace'> {
  /** The name of a process, as owners have it; undefined when it has ended. */
  identify(pid: number): string | undefined;
}

export type OwnerState = 'running' | 'ended' | 'unknown';

/** Unknown where the owner ran on another machine or in another container: its processes cannot be seen from here. */
export function judgeOwner(owner: FileOwner, machine: Machine): OwnerState {
  if (owner.host !== machine.host) return 'unknown';
  if (owner.boot !== machine.boot) return 'ended';
  if (owner.pidNamespace !== machine.pidNamespace) return 'unknown';
  return machine.identify(owner.pid) === owner.process ? 'running' : 'ended';
}

const prefix = '# Made by the playground of liqo-ts: ';

/** The first line of a file: a comment in YAML. */
export function formatOwner(owner: FileOwner): string {
  return `${prefix}${JSON.stringify(owner)}\n`;
}

/** Undefined for a file that no playground has made. */
export function parseOwner(text: string): FileOwner | undefined {
  const [line = ''] = text.split('\n', 1);
  if (!line.startsWith(prefix)) return undefined;
  try {
    const owner: unknown = JSON.parse(line.slice(prefix.length));
    return isOwner(owner) ? owner : undefined;
  } catch {
    // Not what formatOwner() writes, so not ours.
    return undefined;
  }
}

function isOwner(value: unknown): value is FileOwner {
  const { host, boot, pidNamespace, pid, process } = (value ?? {}) as Partial<FileOwner>;
  const texts = [host, boot, pidNamespace, process];
  return texts.every((text) => typeof text === 'string') && Number.isSafeInteger(pid);
}

/** This machine, seen from this process. */
export function thisMachine(): Machine {
  return {
    host: hostname(),
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
    identify: identifyProcess,
  };
}

export function ownerHere({ host, boot, pidNamespace, identify }: Machine, pid: number): FileOwner {
  return { host, boot, pidNamespace, pid, process: identify(pid) ?? String(pid) };
}

/** Only Linux has these files. */
function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
