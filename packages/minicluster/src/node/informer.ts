import {
  type Clock,
  type Kind,
  type KubeObject,
  keyOf,
  keyString,
  type Selection,
  type Stored,
  sleep,
} from '@liqo/kube';

import type { KindReader } from '../kind-reader.ts';

export interface InformerOptions<T extends KubeObject> {
  readonly reader: KindReader;
  readonly clock: Clock;
  readonly kind: Kind<T>;
  readonly selection?: Selection;
  /** Told of every object once at the start and of every change since; one of the two is always there. */
  onChange(before: Stored<T> | undefined, after: Stored<T> | undefined): void;
}

/** The objects of a kind, followed as they change. */
export interface Informer<T extends KubeObject> {
  readonly objects: ReadonlyMap<string, Stored<T>>;
  /** Settles when it has stopped, after the signal aborted. */
  readonly stopped: Promise<void>;
}

const relistMs = 1_000;

/** Resolves when everything that exists is known. Whatever goes wrong later, it lists anew; a refusal at first throws. */
export async function startInformer<T extends KubeObject>(
  options: InformerOptions<T>,
  signal: AbortSignal,
): Promise<Informer<T>> {
  const objects = new Map<string, Stored<T>>();
  const resourceVersion = await list(options, objects, signal);
  return { objects, stopped: follow(options, objects, resourceVersion, signal) };
}

async function follow<T extends KubeObject>(
  options: InformerOptions<T>,
  objects: Map<string, Stored<T>>,
  from: string,
  signal: AbortSignal,
): Promise<void> {
  let resourceVersion: string | undefined = from;
  while (!signal.aborted) {
    try {
      resourceVersion ??= await list(options, objects, signal);
      await watch(options, objects, resourceVersion, signal);
    } catch {
      // Events may be lost: only a list can tell what is there.
      resourceVersion = undefined;
      if (!signal.aborted) await sleep(options.clock, relistMs, signal).catch(() => undefined);
    }
  }
}

async function list<T extends KubeObject>(
  { reader, kind, selection = {}, onChange }: InformerOptions<T>,
  objects: Map<string, Stored<T>>,
  signal: AbortSignal,
): Promise<string> {
  const { items, resourceVersion } = await reader.list(kind, { ...selection, signal });
  const listed = new Map(items.map((item) => [keyString(keyOf(item)), item]));
  for (const [key, before] of [...objects]) {
    if (listed.get(key)?.metadata.uid === before.metadata.uid) continue;
    objects.delete(key);
    onChange(before, undefined);
  }
  for (const [key, after] of listed) {
    const before = objects.get(key);
    if (before?.metadata.resourceVersion === after.metadata.resourceVersion) continue;
    objects.set(key, after);
    onChange(before, after);
  }
  return resourceVersion;
}

async function watch<T extends KubeObject>(
  { reader, kind, selection = {}, onChange }: InformerOptions<T>,
  objects: Map<string, Stored<T>>,
  resourceVersion: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of reader.watch(kind, { ...selection, resourceVersion }, signal)) {
    if (event.type === 'BOOKMARK') continue;
    const key = keyString(keyOf(event.object));
    const before = objects.get(key);
    if (event.type === 'DELETED') {
      objects.delete(key);
      onChange(before ?? event.object, undefined);
    } else {
      objects.set(key, event.object);
      onChange(before, event.object);
    }
  }
}
