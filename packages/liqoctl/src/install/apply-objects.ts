import {
  type Client,
  CustomResourceDefinition,
  deepEqual,
  isConditionTrue,
  isJsonObject,
  isNotFound,
  type Kind,
  type KubeObject,
  ownMember,
  type Stored,
} from '@liqo/kube';
import { kindOfManifest } from '@liqo/manifests';
import type { Look } from '../cluster/wait-until.ts';
import { attempt } from '../explain.ts';

/** What became of objects, or would become of them. */
export interface Changes {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
}

interface ApplyOptions {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

type Effect = keyof Changes;

/** Writes objects in their order by server-side apply. Objects that are as wanted stay untouched. */
export async function applyObjects(
  client: Client,
  objects: readonly KubeObject[],
  options: ApplyOptions,
): Promise<Changes> {
  const changes = { created: 0, changed: 0, unchanged: 0 };
  for (const object of objects) {
    const name = `${object.kind} "${object.metadata?.name}"`;
    changes[await attempt(`apply ${name}`, applyObject(client, object, options), 'write')] += 1;
  }
  return changes;
}

async function applyObject(
  client: Client,
  object: KubeObject,
  { dryRun, signal }: ApplyOptions,
): Promise<Effect> {
  const kind = kindOf(object);
  try {
    const { name = '', namespace } = object.metadata ?? {};
    const before = await client.get(kind, { name, namespace }, signal);
    const after = await client.apply(kind, object, { dryRun, force: true, signal });
    if (!before) return 'created';
    const isSame = deepEqual(wishesOf(before), wishesOf(after)) || isContained(object, before);
    return isSame ? 'unchanged' : 'changed';
  } catch (error) {
    // Its namespace or its kind would be created before it.
    if (dryRun && isNotFound(error)) return 'created';
    throw error;
  }
}

/** An object without what the server keeps of it: that changes with every report of a controller. */
function wishesOf({ metadata, ...object }: Stored<KubeObject>): unknown {
  const { status: _, ...others } = object as { readonly status?: unknown };
  const { labels = {}, annotations = {} } = metadata;
  return { ...others, labels, annotations };
}

/** Whether an object has all that is wanted already: the holder of a Lease writes it all the time. */
function isContained(wanted: unknown, present: unknown): boolean {
  if (!isJsonObject(wanted)) return wanted === undefined || deepEqual(wanted, present);
  if (!isJsonObject(present)) return false;
  return Object.entries(wanted).every(([key, value]) =>
    isContained(value, ownMember(present, key)),
  );
}

function kindOf(object: KubeObject): Kind {
  return object.kind === CustomResourceDefinition.kind
    ? (CustomResourceDefinition as unknown as Kind)
    : kindOfManifest(object);
}

/** Whether the server serves the kinds. */
export async function lookAtKinds(
  client: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Look<true>> {
  const { items } = await client.list(CustomResourceDefinition, { signal });
  const unserved = names.filter((name) => {
    const definition = items.find(({ metadata }) => metadata.name === name);
    return !isConditionTrue(definition?.status?.conditions, 'Established');
  });
  return unserved.length === 0
    ? { done: true }
    : { notYet: `${unserved.length} kinds are not served yet, such as ${unserved[0]}` };
}
