import {
  type Client,
  CustomResourceDefinition,
  deepEqual,
  diffJson,
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
  /** `Deployment "liqo-webhook"` */
  readonly created: readonly string[];
  /** The same, with what is different: `Deployment "liqo-webhook" (spec.replicas)`. */
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

interface ApplyOptions {
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

interface Effect {
  readonly of: keyof Changes;
  readonly fields?: readonly string[];
}

/** Writes objects in their order by server-side apply. Objects that are as wanted stay untouched. */
export async function applyObjects(
  client: Client,
  objects: readonly KubeObject[],
  options: ApplyOptions,
): Promise<Changes> {
  const changes = { created: [] as string[], changed: [] as string[], unchanged: [] as string[] };
  for (const object of objects) {
    const name = `${object.kind} "${object.metadata?.name}"`;
    const work = applyObject(client, object, options);
    const { of, fields = [] } = await attempt(`apply ${name}`, work, 'write');
    changes[of].push(fields.length > 0 ? `${name} (${fields.join(', ')})` : name);
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
    if (!before) return { of: 'created' };
    const fields = changedFields(wishesOf(before), wishesOf(after));
    const isSame = fields.length === 0 || isContained(object, before);
    return isSame ? { of: 'unchanged' } : { of: 'changed', fields };
  } catch (error) {
    // Its namespace or its kind would be created before it.
    if (dryRun && isNotFound(error)) return { of: 'created' };
    throw error;
  }
}

const mostFields = 3;

/** Where two objects differ, as paths without the positions in lists. */
function changedFields(before: unknown, after: unknown): readonly string[] {
  const paths = diffJson(before, after).map(({ path }) =>
    path
      .split('/')
      .slice(1)
      .filter((part) => !/^(\d+|-)$/.test(part))
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
      .join('.'),
  );
  const all = [...new Set(paths)];
  return all.length > mostFields ? [...all.slice(0, mostFields), '…'] : all;
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
