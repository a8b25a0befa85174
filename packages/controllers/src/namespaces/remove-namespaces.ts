import { type Client, Namespace, type Stored } from '@liqo/kube';
import { isManagedBy } from '@liqo/model';
import type { Informer, ReconcileContext } from '@liqo/runtime';
import type { Rounds } from './rounds.ts';

interface RemovalContext {
  readonly client: Client;
  readonly namespaces: Informer<Namespace>;
  readonly rounds: Rounds;
}

export interface Removal {
  /** Those that still exist, or may. */
  readonly lingering: ReadonlySet<string>;
  /** How many the next turn has to ask for. */
  readonly postponed: number;
  readonly failures: readonly unknown[];
}

/**
 * Deletes namespaces of a NamespaceMap, as many as one turn allows. One that cannot be deleted counts as still there, and
 * does not keep the others. What is not of this map is left alone.
 */
export async function removeNamespaces(
  { client, namespaces, rounds }: RemovalContext,
  mapKey: string,
  names: readonly string[],
  run: ReconcileContext,
): Promise<Removal> {
  const failures: unknown[] = [];
  const lingering = new Set(names);
  const open = names.filter((name) => !isGoing(namespaces.get({ name }), mapKey));
  const turn = rounds.next(removalRound(mapKey), open);
  for (const name of turn) {
    try {
      const left = await removeNamespace(client, name, mapKey, run.signal);
      if (left) run.wrote(namespaces, left);
      else lingering.delete(name);
    } catch (error) {
      failures.push(error);
    }
  }
  return { lingering, postponed: open.length - turn.size, failures };
}

export function removalRound(mapKey: string): string {
  return `${mapKey} removal`;
}

/** The cache tells when it is gone. */
function isGoing(namespace: Stored<Namespace> | undefined, mapKey: string): boolean {
  return namespace?.metadata.deletionTimestamp !== undefined && isManagedBy(namespace, mapKey);
}

/** Gives back what is still there afterwards. */
async function removeNamespace(
  client: Client,
  name: string,
  mapKey: string,
  signal: AbortSignal,
): Promise<Stored<Namespace> | undefined> {
  const live = await client.get(Namespace, { name }, signal);
  if (!live || !isManagedBy(live, mapKey)) return undefined;
  if (live.metadata.deletionTimestamp !== undefined) return live;
  const preconditions = { uid: live.metadata.uid };
  return client.delete(Namespace, { name }, { preconditions, signal });
}
