import {
  type Client,
  isConflict,
  isNotFound,
  type Kind,
  type KubeObject,
  keyOf,
  mergePatch,
  type Stored,
} from '@liqo/kube';
import { done, type Outcome } from './controller/outcome.ts';

/** How often a change that met another one is tried again before the conflict is the caller's. */
const maxAttempts = 5;

/**
 * Puts a finalizer on the object unless it is there, and returns the object as it is stored then: safe to repeat.
 *
 * Undefined when there is nothing left to protect: the object is gone, is being deleted (no finalizer can be added any
 * more), or another one has taken its name. Do nothing for it that would have to be cleaned up.
 */
export async function ensureFinalizer<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: Stored<T>,
  name: string,
  signal?: AbortSignal,
): Promise<Stored<T> | undefined> {
  const stored = await changeFinalizers({ client, kind, object, signal }, (current) => {
    if (current.metadata.deletionTimestamp !== undefined) return undefined;
    return hasFinalizer(current, name) ? undefined : [...finalizersOf(current), name];
  });
  return stored && hasFinalizer(stored, name) ? stored : undefined;
}

/**
 * Takes our finalizer off the object unless it is off already, and returns the object as it is then, undefined when it
 * is gone: safe to repeat. Finalizers of others stay, also those that are put on or taken off at the same moment. An
 * object at hand that lacks ours is believed.
 */
export function removeFinalizer<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  object: Stored<T>,
  name: string,
  signal?: AbortSignal,
): Promise<Stored<T> | undefined> {
  return changeFinalizers({ client, kind, object, signal }, (current) =>
    hasFinalizer(current, name)
      ? finalizersOf(current).filter((finalizer) => finalizer !== name)
      : undefined,
  );
}

export function hasFinalizer(object: KubeObject, name: string): boolean {
  return finalizersOf(object).includes(name);
}

export interface Finalized<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  /** `<domain>/<word>`, ours alone. */
  readonly name: string;
  /** Brings the world closer to what the object wants. */
  apply(object: Stored<T>, signal: AbortSignal): Promise<Outcome>;
  /** Undoes what `apply` did in the world outside of the object. */
  cleanup(object: Stored<T>, signal: AbortSignal): Promise<Outcome>;
}

/**
 * One reconcile of an object that leaves traces which have to be removed when it is deleted.
 *
 * Flow: an object that is not being deleted gets the finalizer if it lacks it, and only then is applied. An object
 * that is being deleted and has the finalizer is cleaned up, again and again until that returns `done`; then the
 * finalizer goes. An object that is being deleted without our finalizer is none of our business.
 *
 * Guaranteed: `apply` never runs before the finalizer is stored, nor after the object was seen being deleted. The
 * object does not disappear, unless somebody else removes the finalizer, before `cleanup` has returned `done`.
 *
 * Expected: both are safe to repeat, and `cleanup` copes with an `apply` that stopped half way or never ran. It throws,
 * or returns `requeueAfter`, as long as something is left: the finalizer stays.
 */
export async function withFinalizer<T extends KubeObject>(
  finalized: Finalized<T>,
  object: Stored<T>,
  signal: AbortSignal,
): Promise<Outcome> {
  const { client, kind, name } = finalized;
  if (object.metadata.deletionTimestamp === undefined) {
    const safe = await ensureFinalizer(client, kind, object, name, signal);
    return safe ? finalized.apply(safe, signal) : done;
  }
  if (!hasFinalizer(object, name)) return done;
  const outcome = await finalized.cleanup(object, signal);
  if (outcome.type === 'done') await removeFinalizer(client, kind, object, name, signal);
  return outcome;
}

interface FinalizerChange<T extends KubeObject> {
  readonly client: Client;
  readonly kind: Kind<T>;
  readonly object: Stored<T>;
  readonly signal: AbortSignal | undefined;
}

/** Starts from the object at hand, which may be old, and from the live one after a conflict. */
async function changeFinalizers<T extends KubeObject>(
  { client, kind, object, signal }: FinalizerChange<T>,
  decide: (current: Stored<T>) => readonly string[] | undefined,
): Promise<Stored<T> | undefined> {
  let current = object;
  for (let attempt = 1; ; attempt++) {
    const finalizers = decide(current);
    if (!finalizers) return current;
    try {
      return await client.patch(kind, keyOf(current), finalizersPatch(current, finalizers), {
        signal,
      });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      if (!isConflict(error) || attempt >= maxAttempts) throw error;
    }
    const live = await client.get(kind, keyOf(object), signal);
    if (live?.metadata.uid !== object.metadata.uid) return undefined;
    current = live;
  }
}

/**
 * The whole list with the version it was made from: a merge patch with a version is refused with a conflict when the
 * object has changed, while a JSON patch whose `test` fails is refused as invalid, like any mistake.
 */
function finalizersPatch(current: Stored<KubeObject>, finalizers: readonly string[]) {
  const { resourceVersion } = current.metadata;
  return mergePatch({ metadata: { resourceVersion, finalizers } });
}

function finalizersOf(object: KubeObject): readonly string[] {
  return object.metadata?.finalizers ?? [];
}
