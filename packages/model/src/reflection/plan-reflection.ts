import {
  apiVersionOf,
  deepEqual,
  isJsonObject,
  type JsonObject,
  type Kind,
  type KubeObject,
  ownMember,
  type Stored,
} from '@liqo/kube';
import { covers, ownsMore } from './compare-reflected.ts';
import { digestTexts } from './digest-texts.ts';
import { forgeMetadata, type MetadataForm } from './forge-metadata.ts';
import { isSkipped } from './is-skipped.ts';
import { appliedFields } from './read-reflected.ts';
import { type ReflectionNames, sameNames } from './reflection-names.ts';
import { isReflectedCopy, type ReflectionRoute } from './reflection-route.ts';

/** What to do next for one object of the consumer and its copy at the provider. */
export type ReflectionStep<R extends KubeObject> =
  | { readonly type: 'nothing'; readonly warning?: ReflectionWarning }
  /** Server-side apply. With a UID it is meant for that very object, without one it creates. */
  | {
      readonly type: 'apply';
      readonly object: AppliedObject<R>;
      readonly warning?: ReflectionWarning;
    }
  /** Removes members that were added at the provider, with a merge patch for that very version. */
  | { readonly type: 'prune'; readonly remote: Stored<R>; readonly patch: JsonObject }
  | { readonly type: 'delete'; readonly remote: Stored<R> }
  | { readonly type: 'refuse'; readonly reason: ReflectionReason; readonly message: string };

type ReflectionReason = 'FailedReflection' | 'ReflectionDisabled' | 'ReflectionLoop';

/** Told to the user of a copy, which is not all that the object asks for. */
export interface ReflectionWarning {
  readonly reason: 'ClassNotOffered';
  readonly message: string;
}

type AppliedObject<R extends KubeObject> = R & {
  readonly metadata: { name: string; namespace: string; uid?: string };
};

/** The next step, from both objects; the one at the provider as `readReflected` gives it, absent if seen to be absent. */
export type ReflectionPlan<L extends KubeObject, R extends KubeObject = L> = (
  local: Stored<L> | undefined,
  remote: Stored<R> | undefined,
  route: ReflectionRoute,
) => ReflectionStep<R>;

/** Everything that a kind says of its reflection; the rest is the same for all kinds. */
export interface ReflectionForm<L extends KubeObject, R extends KubeObject = L>
  extends Omit<MetadataForm, 'annotations'> {
  /** Of the copy. */
  readonly kind: Kind<R>;
  /** What the copy has besides its metadata; depends on the present copy only in what the provider has chosen. */
  readonly forge: (
    local: Stored<L>,
    route: ReflectionRoute,
    remote: Stored<R> | undefined,
  ) => ReflectedContent<R>;
  /** Of the copy. The same as the object's when absent. */
  readonly names?: ReflectionNames;
  /** That the copy has besides those of the original. */
  readonly annotations?: (local: Stored<L>) => MetadataForm['annotations'];
  /** Top-level fields of the copy in which no member is to be but the wanted ones. */
  readonly exact?: readonly (keyof R & string)[];
  /** Paths of maps that server-side apply replaces as a whole: such a map of the copy has the wanted members only. */
  readonly atomic?: readonly (readonly string[])[];
  /** Paths of values to which the API server adds nothing: those of the copy are equal, inside of lists too. */
  readonly verbatim?: readonly (readonly string[])[];
  /** Whether the copy has to be made anew because the provider lets no such change through. */
  readonly mustReplace?: (wanted: ReflectedContent<R>, remote: Stored<R>) => boolean;
  /** Whether the object stays in the consumer's cluster. By its annotations and the policy when absent. */
  readonly isSkipped?: (local: Stored<L>, route: ReflectionRoute) => boolean;
  /** Why the object is not reflected, for its Event. */
  readonly refuse?: (local: Stored<L>, route: ReflectionRoute) => ReflectionRefusal | undefined;
  readonly warn?: (
    local: Stored<L>,
    /** What is applied, and what of the present copy stays. */
    copy: { readonly wanted: ReflectedContent<R>; readonly remote: Stored<R> | undefined },
    route: ReflectionRoute,
  ) => ReflectionWarning | undefined;
  /** Whether an object at the provider that has our labels is the concern of another part. */
  readonly isOfAnotherPart?: (remote: Stored<R>) => boolean;
}

type ReflectedContent<R extends KubeObject> = Omit<R, 'apiVersion' | 'kind' | 'metadata'>;

export interface ReflectionRefusal {
  readonly reason: ReflectionReason;
  readonly message: string;
}

/** A plan for a kind: ownership, policy, metadata and comparison are decided here, the content by the kind. */
export function planReflection<L extends KubeObject, R extends KubeObject = L>(
  form: ReflectionForm<L, R>,
): ReflectionPlan<L, R> {
  return (local, remote, route) => {
    const isOurs =
      remote !== undefined && isReflectedCopy(remote, route) && !form.isOfAnotherPart?.(remote);
    const ours = isOurs ? remote : undefined;
    const mayStay = local && !isToBeSkipped(local, route, form);
    if (!mayStay) return ours ? remove(ours) : { type: 'nothing' };
    const refusal = form.refuse?.(local, route);
    if (refusal) return ours ? remove(ours) : { type: 'refuse', ...refusal };
    if (remote && !ours) return nameTaken(local, route, form.kind);
    return planCopy(local, ours, route, form);
  };
}

function isToBeSkipped<L extends KubeObject, R extends KubeObject>(
  local: Stored<L>,
  route: ReflectionRoute,
  form: ReflectionForm<L, R>,
): boolean {
  return form.isSkipped?.(local, route) ?? isSkipped(local, route.policy);
}

function planCopy<L extends KubeObject, R extends KubeObject>(
  local: Stored<L>,
  remote: Stored<R> | undefined,
  route: ReflectionRoute,
  form: ReflectionForm<L, R>,
): ReflectionStep<R> {
  if (isTerminating(remote)) return { type: 'nothing' };
  const { names = sameNames } = form;
  const name = names.remoteName(local.metadata.name, route);
  if (name === undefined) return nameNeeded(local, form.kind);
  const content = form.forge(local, route, remote);
  if (remote && form.mustReplace?.(content, remote)) return remove(remote);
  const marks = { ...form, annotations: form.annotations?.(local) };
  const metadata = {
    ...forgeMetadata(local, route, marks),
    name,
    namespace: route.remoteNamespace,
  };
  const wanted = { ...content, metadata };
  const { exact = [] } = form;
  const warning = form.warn?.(local, { wanted: content, remote }, route);
  if (remote && isApplied(remote, wanted, form)) {
    const step = planPrune(content, remote, exact);
    return step.type === 'nothing' && warning ? { ...step, warning } : step;
  }
  const { apiVersion, kind } = { apiVersion: apiVersionOf(form.kind), kind: form.kind.kind };
  const uid = remote && { uid: remote.metadata.uid };
  const object = { apiVersion, kind, ...content, metadata: { ...metadata, ...uid } };
  return {
    type: 'apply',
    object: object as unknown as AppliedObject<R>,
    ...(warning && { warning }),
  };
}

function isApplied(
  remote: Stored<KubeObject>,
  wanted: object,
  { atomic = [], verbatim = [] }: Pick<ReflectionForm<KubeObject>, 'atomic' | 'verbatim'>,
): boolean {
  return (
    covers(remote, wanted) &&
    !ownsMore(appliedFields(remote), wanted) &&
    atomic.every((path) => memberCount(remote, path) <= memberCount(wanted, path)) &&
    verbatim.every((path) => deepEqual(memberAt(remote, path), digestTexts(memberAt(wanted, path))))
  );
}

function memberCount(object: object, path: readonly string[]): number {
  const found = memberAt(object, path);
  return isJsonObject(found) ? Object.keys(found).length : 0;
}

function memberAt(object: object, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) ? ownMember(value, key) : undefined),
    object,
  );
}

function planPrune<R extends KubeObject>(
  wanted: ReflectedContent<R>,
  remote: Stored<R>,
  exact: readonly (keyof R & string)[],
): ReflectionStep<R> {
  const excess = exact.flatMap((field) => {
    const [actual, kept] = [
      ownMember(remote as unknown as Members, field),
      ownMember(wanted, field),
    ];
    if (!isJsonObject(actual)) return [];
    const more = Object.keys(actual).filter(
      (key) => !isJsonObject(kept) || !Object.hasOwn(kept, key),
    );
    return more.length > 0 ? [[field, Object.fromEntries(more.map((key) => [key, null]))]] : [];
  });
  if (excess.length === 0) return { type: 'nothing' };
  const { uid, resourceVersion } = remote.metadata;
  const patch = { metadata: { uid, resourceVersion }, ...Object.fromEntries(excess) };
  return { type: 'prune', remote, patch };
}

type Members = Readonly<Record<string, unknown>>;

function remove<R extends KubeObject>(remote: Stored<R>): ReflectionStep<R> {
  return isTerminating(remote) ? { type: 'nothing' } : { type: 'delete', remote };
}

function isTerminating(object: Stored<KubeObject> | undefined): boolean {
  return object?.metadata.deletionTimestamp !== undefined;
}

function nameTaken(
  { metadata }: Stored<KubeObject>,
  { providerClusterID, remoteNamespace }: ReflectionRoute,
  { kind }: Kind,
): ReflectionStep<never> {
  const message =
    `Cannot reflect ${kind} "${metadata.name}" to provider "${providerClusterID}": namespace "${remoteNamespace}" ` +
    `there has a ${kind} of that name that was not made for this cluster: rename one of them`;
  return { type: 'refuse', reason: 'FailedReflection', message };
}

function nameNeeded({ metadata }: Stored<KubeObject>, { kind }: Kind): ReflectionStep<never> {
  const message = `Cannot reflect ${kind} "${metadata.name}": Liqo needs that name for another object: rename it`;
  return { type: 'refuse', reason: 'FailedReflection', message };
}
