import { sayDuration } from './say-duration.ts';

const everyMs = 30_000;

/** Says from time to time how far a long build is. */
export function startHeartbeat(
  say: (line: string) => void,
): Disposable & { note(line: string): void } {
  const startedMs = performance.now();
  let count = 0;
  let latest = '';
  const timer = setInterval(() => {
    const elapsed = sayDuration(performance.now() - startedMs);
    say(
      `… still building after ${elapsed}: ${count} packages and downloads so far, last ${latest}`,
    );
  }, everyMs);
  const note = (line: string) => {
    count += 1;
    latest = line;
  };
  return { note, [Symbol.dispose]: () => clearInterval(timer) };
}
