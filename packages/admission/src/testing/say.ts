import type { Verdict } from '../review/verdict.ts';

/** A verdict in one line: `allowed`, or what the user is told. */
export function say(verdict: Verdict): string {
  if (!verdict.allowed) return verdict.message;
  return ['allowed', ...(verdict.warnings ?? [])].join(': ');
}
