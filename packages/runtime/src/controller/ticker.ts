import type { ObjectKey } from '@liqo/kube';
import type { Feed, Source } from './source.ts';

/** The given keys at the start and then again and again, for what changes without any object changing. */
export function ticker(everyMs: number, keys: () => Iterable<ObjectKey>): Source {
  const start = ({ clock, log, enqueue }: Feed) => {
    const tick = () => {
      timer = clock.after(everyMs, tick);
      try {
        for (const key of keys()) enqueue(key);
      } catch (error) {
        log.error('A ticker could not tell its keys', { err: error });
      }
    };
    let timer = clock.after(0, tick);
    return { [Symbol.dispose]: () => timer.cancel() };
  };
  return { caches: [], start };
}
