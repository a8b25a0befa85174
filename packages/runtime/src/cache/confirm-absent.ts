import type { Call, Client, Kind, KubeObject, ObjectKey } from '@liqo/kube';

/** Known in this file only: nobody else can make an `Absent`. */
const saidByTheServer = Symbol('said by the server');

/**
 * The server's own word that an object did not exist when it was asked.
 *
 * Only `confirmAbsent` gives one. So a function that destroys something because something else is gone takes an `Absent`
 * and cannot be called on the strength of a cache, whose `undefined` is of another type.
 */
export interface Absent {
  readonly kind: Kind;
  readonly identity: Identity;
  readonly [saidByTheServer]: true;
}

/** Which object: with a UID, that very one and not a later one of the same name. */
export interface Identity extends ObjectKey {
  readonly uid?: string | undefined;
}

/**
 * Asks the server itself, past every cache. Gives undefined when the object exists, and throws when the server did not
 * say: no answer is no absence.
 */
export async function confirmAbsent<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  identity: Identity,
  call?: Call,
): Promise<Absent | undefined> {
  const { namespace, name, uid } = identity;
  const found = await client.get(kind, { namespace, name }, call);
  const exists = found !== undefined && (uid === undefined || found.metadata.uid === uid);
  return exists ? undefined : { kind, identity, [saidByTheServer]: true };
}
