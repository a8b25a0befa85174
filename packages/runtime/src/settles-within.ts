import type { Clock } from '@liqo/kube';

/** Whether the promise settled, in whichever way, before the time was up. */
export function settlesWithin(
  promise: Promise<unknown>,
  clock: Clock,
  timeoutMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(timeoutMs, () => resolve(false));
    const onSettled = () => {
      timer.cancel();
      resolve(true);
    };
    promise.then(onSettled, onSettled);
  });
}
