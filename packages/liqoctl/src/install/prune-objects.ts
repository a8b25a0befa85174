import { type Client, isNotFound, type KubeObject } from '@liqo/kube';
import { forgeEverything, kindOfManifest } from '@liqo/manifests';
import { attempt } from '../explain.ts';
import { deleteIfThere } from '../uninstall/take-down.ts';

interface PruneOptions {
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** Removes the objects that other values had switched on, and gives their names. */
export async function pruneObjects(
  client: Client,
  wanted: readonly KubeObject[],
  { namespace, dryRun, signal }: PruneOptions,
): Promise<readonly string[]> {
  const kept = new Set(wanted.map(nameOf));
  const removed: string[] = [];
  for (const object of forgeEverything(namespace)) {
    if (kept.has(nameOf(object))) continue;
    const prune = async () => {
      if (!(await isThere(client, object, signal))) return;
      if (!dryRun) await deleteIfThere(client, kindOfManifest(object), object, signal);
      removed.push(nameOf(object));
    };
    await attempt(`remove ${nameOf(object)}`, prune(), 'write');
  }
  return removed;
}

/** A cluster without its kind does not have it. */
async function isThere(client: Client, object: KubeObject, signal: AbortSignal): Promise<boolean> {
  const { name = '', namespace } = object.metadata ?? {};
  try {
    return (await client.get(kindOfManifest(object), { name, namespace }, signal)) !== undefined;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} "${metadata?.name}"`;
}
