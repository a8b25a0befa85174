import {
  ApiError,
  formatTime,
  isConditionTrue,
  type KubeObject,
  labelQueryFromSelector,
  matchesLabels,
  type Pod,
  type PodDisruptionBudget,
} from '@liqo/kube';
import { AdmissionChain } from '../admission/admission.ts';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { deleteObject } from '../rest/delete-object.ts';
import { ObjectStore } from '../rest/object-store.ts';
import { internalError, noSuchPath, tooManyRequests } from '../rest/refusal.ts';
import type { ResourceRequest } from '../rest/request-info.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { absent, find, keyOfTarget } from '../rest/target.ts';
import { readDeleteSettings } from '../rest/write-options.ts';
import type { Item } from '../store/collection.ts';
import { admitSubresource } from './admit-subresource.ts';
import { successStatus } from './success-status.ts';

type StoredPod = Item & Pod;
type Budget = Item & PodDisruptionBudget;

/** `pods/eviction`: a deletion that a disruption budget may refuse for now. Admission sees the eviction, and no deletion. */
export function podEviction(parts: ServerParts) {
  const unadmitted = { ...parts, admission: new AdmissionChain([]) };
  return async (request: ApiRequest, resource: Resource): Promise<ApiAnswer> => {
    const target = request.info.resource;
    if (!target) throw noSuchPath();
    await admitSubresource(parts, request, resource, 'CREATE', evictionOf(request, target));
    const pod = find(parts, resource, target) as StoredPod;
    const settings = readDeleteSettings({ ...request, body: deleteOptionsOf(request.body) });
    if (!settings.dryRun && !mayGoAnyway(pod)) spendBudget(parts, pod);
    const key = keyOfTarget(resource, target);
    if (!(await deleteObject(unadmitted, resource, request, key, settings)))
      throw absent(resource, target);
    return { status: 201, body: successStatus(201) };
  };
}

/** As the client sent it; a client that sent nothing means the pod of the path. */
function evictionOf({ body }: ApiRequest, { namespace, name }: ResourceRequest): KubeObject {
  const sent: KubeObject = body ? JSON.parse(body) : {};
  const metadata = { ...(namespace && { namespace }), ...(name && { name }), ...sent.metadata };
  return { ...sent, metadata };
}

function deleteOptionsOf(body: string): string {
  const { deleteOptions } = body ? JSON.parse(body) : { deleteOptions: undefined };
  return deleteOptions ? JSON.stringify(deleteOptions) : '';
}

/** A pod that does not run, or is on its way out, disrupts nobody. */
function mayGoAnyway({ status, metadata }: StoredPod): boolean {
  return (
    metadata.deletionTimestamp !== undefined ||
    ['Succeeded', 'Failed', 'Pending'].includes(status?.phase ?? '')
  );
}

/** Takes one disruption from the budget that covers the pod, if there is one; throws when none is left. */
function spendBudget(parts: ServerParts, pod: StoredPod): void {
  const resource = parts.registry.find('policy', 'v1', 'poddisruptionbudgets');
  if (!resource) return;
  const budgets = new ObjectStore(parts.store, resource);
  const covering = budgets.collection.list().filter((budget) => covers(budget as Budget, pod));
  const [budget, ...others] = covering as Budget[];
  if (!budget) return;
  if (others.length > 0) {
    throw internalError(
      new Error(
        'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
      ),
    );
  }
  if (isExempt(budget, pod)) return;
  const spent = withOneLess(parts, budget, pod);
  const { namespace, name } = budget.metadata;
  budgets.put(`${namespace}/${name}`, budget, spent);
}

function covers({ metadata, spec }: Budget, pod: StoredPod): boolean {
  if (metadata.namespace !== pod.metadata.namespace) return false;
  return matchesLabels(labelQueryFromSelector(spec?.selector), pod.metadata.labels);
}

/** Unhealthy pods are not what a budget protects, if it says so or if enough healthy ones are left. */
function isExempt({ spec, status }: Budget, pod: StoredPod): boolean {
  if (isConditionTrue(pod.status?.conditions ?? [], 'Ready')) return false;
  if (spec?.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}

function withOneLess(parts: ServerParts, budget: Budget, pod: StoredPod): PodDisruptionBudget {
  const { metadata, status } = budget;
  if ((status?.observedGeneration ?? 0) < (metadata.generation ?? 0)) throw stillProcessed(budget);
  const { disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  if (disruptionsAllowed <= 0) {
    const message = `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
    throw tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", [
      { reason: 'DisruptionBudget', message },
    ]);
  }
  const disruptedPods = {
    ...status?.disruptedPods,
    [pod.metadata.name]: formatTime(parts.clock.now()),
  };
  return {
    ...budget,
    status: { ...status, disruptedPods, disruptionsAllowed: disruptionsAllowed - 1 } as NonNullable<
      Budget['status']
    >,
  };
}

function stillProcessed(budget: Budget): ApiError {
  const message = `The disruption budget ${budget.metadata.name} is still being processed by the server.`;
  const details = { causes: [{ reason: 'DisruptionBudget', message }], retryAfterSeconds: 10 };
  const text = "Cannot evict pod as it would violate the pod's disruption budget.";
  const status = {
    status: 'Failure',
    code: 429,
    reason: 'TooManyRequests',
    message: text,
    details,
  };
  return new ApiError(status, { retryAfterMs: 10_000 });
}
