import type { ContainerRole } from './container-view.ts';

/** Whether a container that ended is started again. Sidecars always are, while the pod has work; ephemeral ones never. */
export function shouldRestart(
  role: ContainerRole,
  restartPolicy: string | undefined,
  exitCode: number,
): boolean {
  if (role === 'sidecar') return true;
  if (role === 'ephemeral') return false;
  if (role === 'init' && exitCode === 0) return false;
  if (restartPolicy === 'Never') return false;
  return role === 'init' || restartPolicy !== 'OnFailure' || exitCode !== 0;
}
