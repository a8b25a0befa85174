import type { CallSignal } from '@liqo/kube';

export function untilAborted(signal: CallSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
