import type { Call, Client, Kind, KubeObject, ObjectKey } from '@liqo/kube';

/** Which object: with a UID, that very one and not a later one of the same name. */
interface Identity extends ObjectKey {
  readonly uid?: string | undefined;
}

/**
 * Whether the server itself, past every cache, says that an object does not exist. To be asked before anything is removed
 * because something else is gone. Throws when the server did not say: no answer is no absence.
 */
export async function confirmAbsent<T extends KubeObject>(
  client: Client,
  kind: Kind<T>,
  identity: Identity,
  call?: Call,
): Promise<boolean> {
  const { namespace, name, uid } = identity;
  const found = await client.get(kind, { namespace, name }, call);
  return found === undefined || (uid !== undefined && found.metadata.uid !== uid);
}
