import { labels, tenantNamespaceName } from '@liqo/api';
import { type Client, isAlreadyExists, isForbidden, Namespace, type Stored } from '@liqo/kube';
import { forgeTenantNamespace } from '@liqo/model';
import { UserError } from '../user-error.ts';
import { attemptAt, type PeeringSide, type StepContext, workStep } from './peering-side.ts';
import { making } from './traces.ts';
import { waitUntilGone } from './wait-until-gone.ts';

type Found = Stored<Namespace>;

/**
 * The name of the namespace with everything about a peer; undefined if there is none. A caller that may not list namespaces,
 * as a peering user, gets the name that it has by default.
 */
export async function findNamespaceOf(
  side: PeeringSide,
  peer: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const verb = verbOf(side, peer, 'find');
  const found = await attemptAt(side, verb, lookFor(side.client, peer, signal));
  return found === 'unseen' ? tenantNamespaceName(peer) : onlyOne(found, verb)?.metadata.name;
}

/** Creates the tenant namespace of a peer if there is none. Gives its name. */
export async function ensureTenantNamespace(
  context: StepContext,
  side: PeeringSide,
  peer: string,
): Promise<string> {
  const { signal } = context;
  const verb = verbOf(side, peer, 'find');
  const listed = await attemptAt(side, verb, lookFor(side.client, peer, signal));
  const name = side.tenantNamespace ?? tenantNamespaceName(peer);
  const existing =
    listed === 'unseen' ? await readIfAllowed(side, name, signal) : onlyOne(listed, verb);
  if (existing?.metadata.deletionTimestamp !== undefined) {
    await waitUntilGone(context, side, {
      kind: Namespace,
      object: existing,
      why: whyNamespaceRemains,
    });
    return create(context, side, { peer, name });
  }
  if (!existing && listed !== 'unseen') return create(context, side, { peer, name });
  const found = existing?.metadata.name ?? name;
  if (found !== name && side.tenantNamespace !== undefined) throw taken(verb, found, side);
  await workStep(
    context,
    side,
    { ...wordsFor(found, 'is there already'), verb },
    async () => found,
  );
  return found;
}

/** A wish for a person: `find the namespace of "rome" about "milan"`. */
function verbOf({ clusterID }: PeeringSide, peer: string, verb: string): string {
  return `${verb} the tenant namespace of "${clusterID}" about "${peer}"`;
}

function wordsFor(name: string, done: string) {
  const namespace = `enant namespace "${name}"`;
  return { doing: `Creating the t${namespace}`, done: `T${namespace} ${done}` };
}

async function lookFor(
  client: Client,
  peer: string,
  signal: AbortSignal,
): Promise<readonly Found[] | 'unseen'> {
  const labelSelector = `${labels.tenantNamespace}=true,${labels.remoteClusterID}=${peer}`;
  try {
    return (await client.list(Namespace, { labelSelector, signal })).items;
  } catch (error) {
    if (isForbidden(error)) return 'unseen';
    throw error;
  }
}

function onlyOne([found, ...others]: readonly Found[], verb: string): Found | undefined {
  if (others.length === 0) return found;
  const names = [found, ...others].map((one) => one?.metadata.name).join(', ');
  const hint = `Delete those that are not used, or remove their label ${labels.tenantNamespace}`;
  throw new UserError(`Cannot ${verb}: there are several: ${names}`, { hint });
}

function taken(verb: string, found: string, { where }: PeeringSide): UserError {
  const flag = where === 'remote' ? '--remote-namespace' : '--namespace';
  const hint = `Leave out ${flag}: a cluster has one namespace about each of its peers`;
  return new UserError(`Cannot ${verb}: it is "${found}" already`, { hint });
}

async function readIfAllowed(
  side: PeeringSide,
  name: string,
  signal: AbortSignal,
): Promise<Found | undefined> {
  const reading = side.client.get(Namespace, { name }, signal).catch((error: unknown) => {
    if (isForbidden(error)) return undefined;
    throw error;
  });
  return attemptAt(side, `find the namespace "${name}"`, reading);
}

async function create(
  context: StepContext,
  side: PeeringSide,
  { peer, name }: { readonly peer: string; readonly name: string },
): Promise<string> {
  const verb = verbOf(side, peer, 'create');
  const forged = forgeTenantNamespace(peer);
  const wanted = { ...forged, metadata: { ...forged.metadata, name } };
  const trace = making(`the tenant namespace "${name}" in "${side.clusterID}"`);
  const step = { ...wordsFor(name, 'is created'), verb, trace };
  await workStep(context, side, step, async () => {
    await side.client.create(Namespace, wanted, context.signal).catch(async (error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
      const other = await side.client.get(Namespace, { name }, context.signal);
      if (!isAbout(other, peer)) throw unlabelled(verb, name, peer);
    });
  });
  return name;
}

function isAbout(namespace: Namespace | undefined, peer: string): boolean {
  const marks = namespace?.metadata?.labels;
  return marks?.[labels.tenantNamespace] === 'true' && marks[labels.remoteClusterID] === peer;
}

function unlabelled(verb: string, name: string, peer: string): UserError {
  const hint = `If it is meant, mark it: kubectl label namespace ${name} ${labels.tenantNamespace}=true ${labels.remoteClusterID}=${peer}`;
  return new UserError(`Cannot ${verb}: there is another namespace of the name "${name}"`, {
    hint,
  });
}

/** What Kubernetes says of a namespace that it is removing. */
export function whyNamespaceRemains({ status }: Found): string {
  const why = status?.conditions?.find((condition) => condition.status === 'True')?.message;
  return why ?? 'Kubernetes is still removing what is in it';
}
