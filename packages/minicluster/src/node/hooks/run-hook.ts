import { type Clock, sleep } from '@liqo/kube';
import type { Container, LifecycleHandler } from 'kubernetes-types/core/v1.d.ts';
import type { ContainerProcess } from '../containers/container-process.ts';
import { httpGet, httpTarget } from '../probes/http-get.ts';

export interface HookParts {
  readonly clock: Clock;
  readonly container: Container;
  readonly podIP: string;
  readonly process: ContainerProcess;
}

/** `sleep` is newer than the types (1.30). */
export type Hook = LifecycleHandler & { readonly sleep?: { readonly seconds: number } };

/** Does what a container wants done after its start or before its end. Rejects when that fails. */
export async function runHook(
  parts: HookParts,
  { exec, httpGet: action, sleep: nap }: Hook,
  signal: AbortSignal,
): Promise<void> {
  if (exec) await runWords(parts.process, exec.command ?? [], signal);
  else if (action) {
    // Whatever the answer is, the container has been told.
    await httpGet(httpTarget(action, parts.container, parts.podIP, 'lifecycle'), signal);
  } else if (nap) await sleep(parts.clock, nap.seconds * 1000, signal);
}

/** Where no command can be run, there is nothing to do. */
async function runWords(
  process: ContainerProcess,
  command: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const result = await process.exec?.(command, signal);
  if (!result || result.exitCode === 0) return;
  throw new Error(`command '${command.join(' ')}' exited with ${result.exitCode}`);
}
