import { labels } from '@liqo/api';
import {
  type Client,
  deepEqual,
  hashText,
  type Kind,
  type KubeObject,
  keyString,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import type { Informer, ReconcileContext } from '@liqo/runtime';
import { isAsMade } from './is-as-made.ts';

/** On everything that is made for a virtual node: what it was made from, so that what is no longer wanted goes. */
const madeFrom = 'liqo.io/made-from';
const fieldManager = 'liqo-virtual-node';

/** There is such an object already, and it is somebody else's. */
export class ObjectTakenError extends Error {
  override readonly name = 'ObjectTakenError';

  constructor(kind: Kind, key: ObjectKey) {
    super(`The ${kind.kind} "${keyString(key)}" exists and was not made for this virtual node`);
  }
}

/**
 * Makes an object what it should be: creates it, puts right what somebody changed, removes what is no longer wanted. Writes
 * nothing if nothing of that is the case, and nothing to an object of somebody else.
 */
export async function ensureMade<T extends KubeObject>(
  client: Client,
  { kind, made, wanted }: { kind: Kind<T>; made: Informer<T>; wanted: T },
  run: ReconcileContext,
): Promise<void> {
  const { namespace, name = '' } = wanted.metadata ?? {};
  const key = { namespace, name };
  const recipe = hashText(JSON.stringify(wanted));
  const cached = made.get(key);
  if (cached && isFrom(cached, recipe) && isAsMade(cached, wanted)) return;
  const existing = cached ?? (await client.get(kind, key, run.signal));
  if (existing && !isOurs(existing, wanted)) throw new ObjectTakenError(kind, key);
  if (existing && bindsAnother(existing, wanted)) {
    const preconditions = { uid: existing.metadata.uid };
    await client.delete(kind, key, { preconditions, signal: run.signal });
  }
  const annotations = { ...wanted.metadata?.annotations, [madeFrom]: recipe };
  const object = { ...wanted, metadata: { ...wanted.metadata, annotations } };
  const options = { fieldManager, force: true, signal: run.signal };
  run.wrote(made, await client.apply(kind, object, options));
}

function isFrom({ metadata }: Stored<KubeObject>, recipe: string): boolean {
  return metadata.annotations?.[madeFrom] === recipe;
}

/** Or made by Liqo itself, whose place we take. */
function isOurs({ metadata }: Stored<KubeObject>, wanted: KubeObject): boolean {
  const [marks, ours] = [metadata.labels ?? {}, wanted.metadata?.labels ?? {}];
  return marks[labels.virtualNode] === ours[labels.virtualNode] || marks[labels.managed] === 'true';
}

/** What a binding refers to cannot be changed in place. */
function bindsAnother(existing: KubeObject, wanted: KubeObject): boolean {
  const roleOf = (object: KubeObject) => ('roleRef' in object ? object.roleRef : undefined);
  return !deepEqual(roleOf(existing), roleOf(wanted));
}
