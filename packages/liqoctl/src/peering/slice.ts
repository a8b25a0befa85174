import { fixedNames, labels, labelValues, ResourceSlice, VirtualNode } from '@liqo/api';
import {
  findCondition,
  isAlreadyExists,
  mergePatch,
  Node,
  type ObjectKey,
  type Stored,
} from '@liqo/kube';
import type { Look } from '../cluster/wait-until.ts';
import { forgeResourceSlice, type SliceWishes } from '../forge-resource-slice.ts';
import { UserError } from '../user-error.ts';
import { ifAllowed } from './if-served.ts';
import { kubectlDescribe } from './kubectl.ts';
import {
  attemptAt,
  type PeeringSide,
  type StepContext,
  waitForControllers,
  workStep,
} from './peering-side.ts';
import { making } from './traces.ts';
import { waitUntilGone } from './wait-until-gone.ts';

type Slice = Stored<ResourceSlice>;

/** Asks the provider for a slice, and waits for its answer. One that is there is changed where the wishes differ. */
export async function ensureSlice(
  context: StepContext,
  side: PeeringSide,
  wishes: SliceWishes,
): Promise<void> {
  if (wishes.createVirtualNode) await refuseTakenNode(context, side, wishes);
  await applySlice(context, side, wishes);
  const key = { namespace: wishes.namespace, name: wishes.name };
  await waitForAuthentication(context, side, key);
  if (wishes.class === fixedNames.defaultResourceSliceClass) {
    return waitForResources(context, side, key);
  }
  const reading = side.client.get(ResourceSlice, key, context.signal);
  const slice = await attemptAt(side, `read the ResourceSlice "${key.name}"`, reading);
  if (slice && isAccepted(slice, 'Resources')) return;
  context.progress.warn(
    `The class "${wishes.class}" has not granted the ResourceSlice "${key.name}" yet: ${why(slice, 'Resources')}`,
  );
}

async function applySlice(
  context: StepContext,
  side: PeeringSide,
  wishes: SliceWishes,
): Promise<void> {
  const { name } = wishes;
  const slice = `the ResourceSlice "${name}" in "${side.clusterID}"`;
  const step = {
    verb: `create ${slice}`,
    doing: `Creating the ResourceSlice "${name}"`,
    done: `ResourceSlice "${name}" is created`,
    trace: making(slice),
  };
  const applied = await workStep<Slice>(context, side, step, () =>
    createOrChange(side, wishes, context.signal),
  );
  if (applied.metadata.deletionTimestamp === undefined) return;
  await waitUntilGone(context, side, { kind: ResourceSlice, object: applied });
  await applySlice(context, side, wishes);
}

async function createOrChange(
  side: PeeringSide,
  wishes: SliceWishes,
  signal: AbortSignal,
): Promise<Slice> {
  const key = { namespace: wishes.namespace, name: wishes.name };
  const existing = await side.client.get(ResourceSlice, key, signal);
  if (existing?.metadata.deletionTimestamp !== undefined) return existing;
  if (existing) return change(side, existing, wishes, signal);
  const { status: _, ...wanted } = forgeResourceSlice(wishes);
  try {
    return await side.client.create(ResourceSlice, wanted, signal);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return createOrChange(side, wishes, signal);
  }
}

/** Amounts that are not named stay as they are. */
function change(
  { client }: PeeringSide,
  { metadata, spec }: Slice,
  wishes: SliceWishes,
  signal: AbortSignal,
): Promise<Slice> {
  refuseCopy(metadata, wishes);
  const { metadata: forged } = forgeResourceSlice(wishes);
  const { namespace, name, uid } = metadata;
  const patch = mergePatch({
    metadata: { uid, labels: { ...forged?.labels }, annotations: { ...forged?.annotations } },
    spec: { class: wishes.class, resources: { ...spec.resources, ...wishes.resources } },
  });
  return client.patch(ResourceSlice, { namespace, name }, patch, signal);
}

function refuseCopy(metadata: Slice['metadata'], { name, providerID }: SliceWishes): void {
  if (metadata.labels?.[labels.replicated] !== 'true') return;
  const message = `Cannot create the ResourceSlice "${name}": "${providerID}" has one of that name here`;
  throw new UserError(message, { hint: 'Choose another name' });
}

/** A virtual node is called as its slice is. A caller that may not look is believed. */
async function refuseTakenNode(
  { signal }: StepContext,
  side: PeeringSide,
  { name, namespace }: SliceWishes,
): Promise<void> {
  const verb = `create the ResourceSlice "${name}"`;
  const call = { fieldSelector: `metadata.name=${name}`, signal };
  const none = { items: [], resourceVersion: '' };
  const virtualNodes = ifAllowed(side.client.list(VirtualNode, call), none);
  const { items } = await attemptAt(side, verb, virtualNodes);
  const other = items.find(({ metadata }) => metadata.namespace !== namespace);
  const hint = 'Choose another name, or leave out the virtual node with --no-virtual-node';
  if (other) {
    const why = `there is a VirtualNode of that name in "${other.metadata.namespace}"`;
    throw new UserError(`Cannot ${verb}: ${why}, and each needs a Node of its own`, { hint });
  }
  const node = await attemptAt(
    side,
    verb,
    ifAllowed(side.client.get(Node, { name }, signal), undefined),
  );
  if (!node || node.metadata.labels?.[labels.type] === labelValues.virtualNode) return;
  const why = 'there is a Node of that name, which is a real one';
  throw new UserError(`Cannot ${verb}: ${why}`, { hint });
}

async function waitForAuthentication(
  context: StepContext,
  side: PeeringSide,
  key: ObjectKey,
): Promise<void> {
  await waitForControllers(context, side, {
    doing: `Waiting for the ResourceSlice "${key.name}" to be authenticated`,
    done: `ResourceSlice "${key.name}" is authenticated`,
    look: (signal) => lookAtSlice(side, key, 'Authentication', signal),
    hint: `See what holds it up: ${kubectlDescribe(ResourceSlice, key)}`,
  });
}

/** A provider that denies the resources has not failed: it may grant them later. */
async function waitForResources(
  context: StepContext,
  side: PeeringSide,
  key: ObjectKey,
): Promise<void> {
  const granted = await waitForControllers<Slice>(context, side, {
    doing: `Waiting for the resources of the ResourceSlice "${key.name}"`,
    done: (slice) =>
      isAccepted(slice, 'Resources')
        ? `Resources of the ResourceSlice "${key.name}" are granted: ${amountsOf(slice)}`
        : undefined,
    look: async (signal) => lookAtAnswer(await side.client.get(ResourceSlice, key, signal)),
    hint: `See what holds it up: ${kubectlDescribe(ResourceSlice, key)}`,
  });
  if (isAccepted(granted, 'Resources')) return;
  context.progress.warn(
    `The provider does not grant the resources of the ResourceSlice "${key.name}": ${why(granted, 'Resources')}`,
  );
}

async function lookAtSlice(
  { client }: PeeringSide,
  key: ObjectKey,
  type: 'Authentication',
  signal: AbortSignal,
): Promise<Look<true>> {
  const slice = await client.get(ResourceSlice, key, signal);
  if (!slice) return { notYet: 'another client deleted it' };
  return isAccepted(slice, type) ? { done: true } : { notYet: why(slice, type) };
}

function lookAtAnswer(slice: Slice | undefined): Look<Slice> {
  if (!slice) return { notYet: 'another client deleted it' };
  const answer = findCondition(slice.status?.conditions, 'Resources');
  return answer ? { done: slice } : { notYet: why(slice, 'Resources') };
}

function isAccepted({ status }: ResourceSlice, type: 'Authentication' | 'Resources'): boolean {
  return findCondition(status?.conditions, type)?.status === 'Accepted';
}

function why(slice: ResourceSlice | undefined, type: 'Authentication' | 'Resources'): string {
  const condition = findCondition(slice?.status?.conditions, type);
  return condition?.message ?? condition?.reason ?? 'the provider has not answered yet';
}

function amountsOf({ status }: ResourceSlice): string {
  const amounts = Object.entries(status?.resources ?? {});
  return amounts.map(([name, amount]) => `${name} ${amount}`).join(', ');
}
