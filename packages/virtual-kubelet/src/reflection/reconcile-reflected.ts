import {
  type Client,
  isConflict,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type Kind,
  type KubeObject,
  keyOf,
  mergePatch,
  type ObjectKey,
  oneLine,
  type Stored,
} from '@liqo/kube';
import {
  isDenial,
  type ReflectionProblem,
  type ReflectionStep,
  readReflected,
  reflectionManager,
} from '@liqo/model';
import {
  confirmAbsent,
  done,
  type Informer,
  type Outcome,
  type ReconcileContext,
  requeueAfter,
} from '@liqo/runtime';
import type { KubeletContext } from '../kubelet-context.ts';
import type { RepeatedWrites } from './repeated-writes.ts';

/** One object of the consumer, and its copy at the provider, as the caches show them. */
export interface ReflectedObject<L extends KubeObject, R extends KubeObject> {
  readonly context: KubeletContext;
  /** Of the provider. */
  readonly client: Client;
  readonly kind: Kind<L>;
  readonly remoteKind: Kind<R>;
  readonly key: ObjectKey;
  readonly remoteKey: ObjectKey;
  readonly local: Stored<L> | undefined;
  readonly remote: Stored<R> | undefined;
  /** Of copies. */
  readonly cache: Informer<R>;
  readonly writes: RepeatedWrites;
  readonly plan: (local: Stored<L> | undefined, remote: Stored<R> | undefined) => ReflectionStep<R>;
  /** Told why the object is not reflected as the user wants it, and that it is. */
  readonly report: (problem: ReflectionProblem | undefined) => void;
  /** Told that the namespace at the provider is gone, or that the provider does not serve the kind. */
  readonly onGone: (error: unknown) => void;
}

/** The end of a foreign object is no event to this process. */
const foreignMs = 30_000;
/** Rights are granted, and namespaces created again, without an event to this process. */
const askAgainMs = 10_000;
const waitForCacheMs = 1_000;

/** Takes the next step for one object. What the provider denies is an Event on the object, and repeated with back-off. */
export async function reconcileReflected<L extends KubeObject, R extends KubeObject>(
  object: ReflectedObject<L, R>,
  run: ReconcileContext,
): Promise<Outcome> {
  const { local, remote, plan, key, writes, report } = object;
  if (!local && !remote) writes.forget(key);
  if (!local) report(undefined);
  try {
    return await takeStep(plan(local, remote), object, run);
  } catch (error) {
    const isGone = isNotFound(error);
    if (!isGone && !isUnauthorized(error)) throw error;
    if (isGone) object.onGone(error);
    const reason = isGone ? 'waiting for the namespace at the provider' : 'waiting for credentials';
    return requeueAfter(askAgainMs, reason);
  }
}

async function takeStep<L extends KubeObject, R extends KubeObject>(
  step: ReflectionStep<R>,
  object: ReflectedObject<L, R>,
  run: ReconcileContext,
): Promise<Outcome> {
  switch (step.type) {
    case 'nothing':
      return settle(step.warning, object);
    case 'refuse':
      record(object, 'Warning', step.reason, step.message);
      object.report(step.reason === 'ReflectionDisabled' ? undefined : step);
      // Only the user can make such an object one that is reflected, and that is an event.
      return step.reason === 'FailedReflection' ? requeueAfter(foreignMs, step.message) : done;
    case 'delete':
      return removeCopy(step.remote, object, run);
    case 'prune': {
      const { client, remoteKind, remoteKey } = object;
      const patch = mergePatch(step.patch);
      const send = (signal: AbortSignal) =>
        client.patch(remoteKind, remoteKey, patch, { fieldManager: reflectionManager, signal });
      return write({ content: step.patch, send }, object, run);
    }
    case 'apply':
      return apply(step, object, run);
  }
}

/** The copy is as it is wanted, for the time being. */
function settle<L extends KubeObject, R extends KubeObject>(
  warning: ReflectionProblem | undefined,
  object: ReflectedObject<L, R>,
): Outcome {
  const contestedMs = object.writes.contestedForMs(object.key);
  object.report(contestedMs > 0 ? describeContest(object) : warning);
  return contestedMs > 0 ? requeueAfter(contestedMs, 'looking whether the copy stays') : done;
}

async function apply<L extends KubeObject, R extends KubeObject>(
  { object: wanted, warning }: ReflectionStep<R> & { type: 'apply' },
  object: ReflectedObject<L, R>,
  run: ReconcileContext,
): Promise<Outcome> {
  if (wanted.metadata.uid === undefined) return create({ wanted, warning }, object, run);
  const { client, remoteKind } = object;
  const options = { fieldManager: reflectionManager, force: true } as const;
  const send = (signal: AbortSignal) => client.apply(remoteKind, wanted, { ...options, signal });
  return write({ content: wanted, send, warning }, object, run);
}

interface NewCopy<R extends KubeObject> {
  readonly wanted: R;
  readonly warning: ReflectionProblem | undefined;
}

/**
 * Server-side apply changes an object that it finds, and nothing makes it create or fail. So the provider says first that there
 * is none; one that is created in between is not overwritten, and what was added to it is removed again.
 */
async function create<L extends KubeObject, R extends KubeObject>(
  { wanted, warning }: NewCopy<R>,
  object: ReflectedObject<L, R>,
  run: ReconcileContext,
): Promise<Outcome> {
  const { client, remoteKind, remoteKey, local, plan } = object;
  const found = await client.get(remoteKind, remoteKey, run.signal);
  const live = found && readReflected(found);
  if (live) return takeStep(plan(local, live), { ...object, remote: live }, run);
  const send = async (signal: AbortSignal) => {
    let isCreated = false;
    const onCreated = () => {
      isCreated = true;
    };
    const options = { fieldManager: reflectionManager, onCreated, signal };
    const stored = await client.apply(remoteKind, wanted, options);
    if (isCreated || !hasOtherManagers(stored)) return stored;
    await giveBack(stored, object, signal);
    throw new ForeignObjectError('Cannot create a copy: an object of that name was created first');
  };
  try {
    return await write({ content: wanted, send, warning }, object, run);
  } catch (error) {
    if (!(error instanceof ForeignObjectError) && !isConflict(error)) throw error;
    return requeueAfter(waitForCacheMs, 'looking at the object that was created first');
  }
}

class ForeignObjectError extends Error {
  override readonly name = 'ForeignObjectError';
}

function hasOtherManagers({ metadata }: Stored<KubeObject>): boolean {
  return (metadata.managedFields ?? []).some(({ manager }) => manager !== reflectionManager);
}

/** Nothing that is applied is everything that was applied before taken out again. */
async function giveBack<L extends KubeObject, R extends KubeObject>(
  { metadata }: Stored<R>,
  { client, remoteKind, remoteKey }: ReflectedObject<L, R>,
  signal: AbortSignal,
): Promise<void> {
  const nothing = { metadata: { ...remoteKey, uid: metadata.uid } } as unknown as R;
  await client.apply(remoteKind, nothing, { fieldManager: reflectionManager, signal });
}

interface Write<R extends KubeObject> {
  readonly content: object;
  readonly send: (signal: AbortSignal) => Promise<Stored<R>>;
  readonly warning?: ReflectionProblem | undefined;
}

async function write<L extends KubeObject, R extends KubeObject>(
  { content, send, warning }: Write<R>,
  object: ReflectedObject<L, R>,
  run: ReconcileContext,
): Promise<Outcome> {
  const { key, writes, cache, kind, context } = object;
  const text = withoutVersion(content);
  const waitMs = writes.waitMs(key, text);
  if (waitMs > 0) return requeueAfter(waitMs, 'waiting before the same write is repeated');
  try {
    run.wrote(cache, await send(run.signal));
  } catch (error) {
    if (!isDenial(error)) throw error;
    const message = describeFailure(object, error);
    record(object, 'Warning', 'FailedReflection', message);
    object.report({ reason: 'FailedReflection', message });
    return requeueAfter(writes.noteDenial(key, text), message);
  }
  writes.noteSuccess(key, text);
  const problem = writes.contestedForMs(key) > 0 ? describeContest(object) : warning;
  if (problem) record(object, 'Warning', problem.reason, problem.message);
  object.report(problem);
  const note = `Reflected ${kind.kind} "${key.name}" to provider "${context.providerClusterID}"`;
  record(object, 'Normal', 'SuccessfulReflection', note);
  return done;
}

/** Not in our cache is not gone: before a copy is deleted, the API server of the consumer says so itself. */
async function removeCopy<L extends KubeObject, R extends KubeObject>(
  remote: Stored<R>,
  object: ReflectedObject<L, R>,
  { signal, log }: ReconcileContext,
): Promise<Outcome> {
  const { client, remoteKind, key, local, writes } = object;
  const waiting = local ? undefined : await waitForAbsence(object, signal);
  if (waiting) return waiting;
  const { uid } = remote.metadata;
  const preconditions = { uid };
  const options = { preconditions, propagationPolicy: 'Background', signal } as const;
  const text = `delete ${uid}`;
  const waitMs = writes.waitMs(key, text);
  if (waitMs > 0) return requeueAfter(waitMs, 'waiting before the same deletion is repeated');
  try {
    await client.delete(remoteKind, keyOf(remote), options);
    return done;
  } catch (error) {
    if (isNotFound(error)) return done;
    if (!isDenial(error)) throw error;
    const message = describeFailure(object, error);
    record(object, 'Warning', 'FailedDeletion', message);
    if (!local) log.warn('Cannot delete a reflected object', { err: error });
    return requeueAfter(writes.noteDenial(key, text), message);
  }
}

/** What to wait for before the object counts as gone at the consumer; nothing if it is gone. */
async function waitForAbsence<L extends KubeObject, R extends KubeObject>(
  { context, kind, key }: ReflectedObject<L, R>,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    if (await confirmAbsent(context.local, kind, key, signal)) return undefined;
    return requeueAfter(waitForCacheMs, 'waiting for the cache to show the object');
  } catch (error) {
    if (!isForbidden(error)) throw error;
    // The right to read ends with the offloading of the namespace, which ends its copies as well.
    return requeueAfter(askAgainMs, 'waiting for the right to read the object at the consumer');
  }
}

/** Two that write the same fields in turn never come to an end: the user has to decide between them. */
function describeContest<L extends KubeObject, R extends KubeObject>({
  context,
  kind,
  key,
}: ReflectedObject<L, R>): ReflectionProblem {
  const message =
    `The copy of ${kind.kind} "${key.name}" does not stay as it is written: something at provider ` +
    `"${context.providerClusterID}" changes it back each time. Find the controller or webhook that does, or skip the object`;
  return { reason: 'CopyChanged', message };
}

function describeFailure<L extends KubeObject, R extends KubeObject>(
  { context, kind, key }: ReflectedObject<L, R>,
  error: Error,
): string {
  const { providerClusterID } = context;
  return oneLine(
    `Cannot reflect ${kind.kind} "${key.name}": provider "${providerClusterID}" denies it: ${error.message}`,
  );
}

function record<L extends KubeObject, R extends KubeObject>(
  { context, local }: ReflectedObject<L, R>,
  type: 'Normal' | 'Warning',
  reason: string,
  note: string,
): void {
  if (!local) return;
  context.events.record({ regarding: local, type, reason, action: 'Reflection', note });
}

/** The same write to a later object is the same write. */
function withoutVersion(content: object): string {
  const { metadata, ...rest } = content as { metadata?: object };
  const { uid: _, resourceVersion: __, ...others } = (metadata ?? {}) as Record<string, unknown>;
  return JSON.stringify([others, rest]);
}
