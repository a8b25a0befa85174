import { apiVersionOf, type Kind, type Stored } from '@liqo/kube';
import { covers, ownsMore } from './compare-reflected.ts';
import {
  type CustomObject,
  refuseCopyOfPeer,
  statusManager,
  translateStatus,
} from './custom-resource.ts';
import { digestTexts } from './digest-texts.ts';
import { isSkipped } from './is-skipped.ts';
import { isReflectedCopy, type ReflectionRoute } from './reflection-route.ts';

/** What to do about the status of an original, whose copy is as it is wanted. */
export type CustomStatusStep =
  | { readonly type: 'nothing' }
  /** Server-side apply to the status of that very object, which fails for fields of other managers. */
  | { readonly type: 'apply'; readonly manager: string; readonly object: AppliedStatus }
  | { readonly type: 'refuse'; readonly reason: 'StatusRefused'; readonly message: string };

type AppliedStatus = CustomObject & {
  readonly metadata: { namespace: string; name: string; uid: string };
};

/**
 * The status of the copy becomes that of the original. Fields that this cluster's own controllers write are theirs: the step
 * names the fields of the provider alone. What is not reflected any more gets none: its fields are given back.
 */
export function planCustomStatus(
  kind: Kind<CustomObject>,
  local: Stored<CustomObject> | undefined,
  remote: Stored<CustomObject> | undefined,
  route: ReflectionRoute,
): CustomStatusStep {
  if (!local || local.metadata.deletionTimestamp !== undefined) return { type: 'nothing' };
  const owned = ownedFields(local, route);
  if (refuseCopyOfPeer(local, route) || isSkipped(local, route.policy)) {
    return ownsMore(owned, { status: {} }) ? apply(kind, local, {}, route) : { type: 'nothing' };
  }
  if (!remote || !isReflectedCopy(remote, route)) return { type: 'nothing' };
  if (remote.statusProblem !== undefined) return refuse(local, remote.statusProblem, route);
  const wanted = translateStatus(remote, local);
  if (wanted === undefined) return { type: 'nothing' };
  if (owned === undefined && Object.keys(wanted).length === 0) return { type: 'nothing' };
  const isThere = covers(digestTexts(local.status ?? {}), wanted);
  if (isThere && owned !== undefined && !ownsMore(owned, { status: wanted }))
    return { type: 'nothing' };
  return apply(kind, local, wanted, route);
}

function apply(
  kind: Kind<CustomObject>,
  { metadata }: Stored<CustomObject>,
  status: object,
  { providerClusterID }: ReflectionRoute,
): CustomStatusStep {
  const { namespace = '', name, uid } = metadata;
  const manager = statusManager(providerClusterID);
  const type = { apiVersion: apiVersionOf(kind), kind: kind.kind };
  return {
    type: 'apply',
    manager,
    object: { ...type, metadata: { namespace, name, uid }, status },
  };
}

function refuse(
  { kind = 'object', metadata }: Stored<CustomObject>,
  problem: string,
  { providerClusterID }: ReflectionRoute,
): CustomStatusStep {
  const message = `Cannot take over the status of ${kind} "${metadata.name}" from provider "${providerClusterID}": ${problem}`;
  return { type: 'refuse', reason: 'StatusRefused', message };
}

function ownedFields(
  { metadata }: Stored<CustomObject>,
  { providerClusterID }: ReflectionRoute,
): unknown {
  const manager = statusManager(providerClusterID);
  return metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
}
