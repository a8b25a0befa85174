import { addResources, maxResources, type Pod, QuantityError, type ResourceList } from '@liqo/kube';
import type { Container, PodSpec } from '../pods/pod-spec.ts';
import { type Amounts, readAmounts } from './amounts.ts';
import { containerRequests, podLevelResources } from './container-requests.ts';
import { withDefaultRequests } from './default-requests.ts';

/**
 * What a pod takes of a quota: what the scheduler reserves for it on a node, and one of `pods`. Exact: nothing is rounded.
 * While containers are resized, the larger of the wanted and the actual amounts counts. Throws a `QuantityError` for amounts
 * that no API server accepts in a pod.
 */
export function podDemand({ spec, status }: Pick<Pod, 'spec' | 'status'>): Amounts {
  const complete: PodSpec = withDefaultRequests(spec ?? { containers: [] });
  const ofContainers = containerRequests(complete, (container) => reserved(container, status));
  const ofPod = podLevelResources(refuseNegative(complete.resources?.requests ?? {}));
  const total = addResources({ ...ofContainers, ...ofPod }, complete.overhead ?? {});
  return readAmounts({ ...total, pods: '1' });
}

function reserved({ name, resources }: Container, status: Pod['status']): ResourceList {
  const wanted: ResourceList = resources?.requests ?? {};
  const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])];
  const actual = all.find((one) => one.name === name);
  const lists = [actual?.resources?.requests ?? {}, actual?.allocatedResources ?? {}];
  return lists.reduce<ResourceList>(maxResources, refuseNegative(wanted));
}

/** A ShadowPod can ask for less than nothing. Its pod could not be created, but until then it would make room. */
function refuseNegative(list: ResourceList): ResourceList {
  for (const [name, amount] of Object.entries(list)) {
    const isNegative = String(amount).startsWith('-');
    if (isNegative) throw new QuantityError(`Cannot request "${amount}" of "${name}"`);
  }
  return list;
}
