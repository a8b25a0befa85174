import { existsSync, readFileSync } from 'node:fs';

/**
 * A name for a running process that no later process gets, where the system tells when it started; elsewhere its pid.
 * Pids alone come back soon in containers, where every run counts from 1. Nothing for a process that has ended.
 */
export function identifyProcess(pid: number): string | undefined {
  return existsSync('/proc/self/stat') ? identifyByProc(pid) : identifyBySignal(pid);
}

function identifyByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, and may contain anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? undefined : `${pid}-${fields[18]}`;
  } catch {
    return undefined;
  }
}

function identifyBySignal(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return `${pid}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? `${pid}` : undefined;
  }
}
