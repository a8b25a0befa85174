import {
  type Clock,
  type Kind,
  type KubeObject,
  keyOf,
  keyString,
  type Stored,
  sleep,
} from '@liqo/kube';

import type { KindReader } from '../kind-reader.ts';

/** All objects of a kind by `namespace/name`. */
export type ObjectsByKey<T extends KubeObject> = ReadonlyMap<string, Stored<T>>;

export interface FollowOptions<T extends KubeObject> {
  readonly reader: KindReader;
  readonly clock: Clock;
  readonly kind: Kind<T>;
  /**
   * Brings the world in line with the objects. Called with all of them at the beginning and after every change, one
   * call at a time. When it fails it is called again, later, with objects read anew.
   */
  reconcile(objects: ObjectsByKey<T>, signal: AbortSignal): Promise<void>;
}

/** How long to wait after a failure: a lost race is over by then, and a server that is away is not harassed. */
const retryMs = 200;

/** A control loop over one kind. Runs until disposed; disposed, nothing of it runs any more. */
export function followKind<T extends KubeObject>(options: FollowOptions<T>): AsyncDisposable {
  const stop = new AbortController();
  const ended = followUntilAborted(options, stop.signal);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

async function followUntilAborted<T extends KubeObject>(
  options: FollowOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await followOnce(options, signal);
    } catch {
      // Whatever it was (a conflict, an expired watch, a server that is away): reading everything anew is the answer.
      await sleep(options.clock, retryMs, signal).catch(() => undefined);
    }
  }
}

/** From one list on, until the watch ends. */
async function followOnce<T extends KubeObject>(
  { reader, kind, reconcile }: FollowOptions<T>,
  signal: AbortSignal,
): Promise<void> {
  const { items, resourceVersion } = await reader.list(kind, { signal });
  const objects = new Map(items.map((item) => [keyString(keyOf(item)), item]));
  await reconcile(objects, signal);
  for await (const event of reader.watch(kind, { resourceVersion }, signal)) {
    if (event.type === 'BOOKMARK') continue;
    const key = keyString(keyOf(event.object));
    if (event.type === 'DELETED') objects.delete(key);
    else objects.set(key, event.object);
    await reconcile(objects, signal);
  }
}
