import type { Clock, Timer } from '@liqo/kube';

/** Node takes a longer delay for no delay at all. */
const longestTimeoutMs = 2 ** 31 - 1;

/** The machine's time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: startTimer,
};

function startTimer(delayMs: number, run: () => void): Timer {
  const dueMs = performance.now() + delayMs;
  const arm = (): NodeJS.Timeout => setTimeout(onTimeout, Math.min(remaining(), longestTimeoutMs));
  const remaining = () => Math.max(0, dueMs - performance.now());
  const onTimeout = () => {
    // Node counts in whole milliseconds and may be early by a fraction of one: that is on time.
    if (remaining() < 1) return run();
    timeout = arm().unref();
  };
  let timeout = arm().unref();
  return { cancel: () => clearTimeout(timeout) };
}

/** Keeps the process alive until disposed: timers of a `Clock` do not, and neither do signal handlers. */
export function keepAlive(): Disposable {
  const interval = setInterval(() => undefined, longestTimeoutMs);
  return { [Symbol.dispose]: () => clearInterval(interval) };
}
