import { annotations, labels } from '@liqo/api';
import type { KubeObject, Pod, Stored } from '@liqo/kube';
import type { PodRoute } from './translate-pod-spec.ts';

export const consumerPodUid = annotations.podUid;

/** What an object at the provider is to a pod of the consumer that has its name. */
export type Kinship =
  | 'own'
  /** Made for an earlier pod of that name, which is gone. */
  | 'predecessor'
  /** Made by somebody else: never touched. */
  | 'stranger';

export function kinshipOf(remote: KubeObject, local: Stored<Pod>, route: PodRoute): Kinship {
  if (!isReflected(remote, route)) return 'stranger';
  return isForUid(remote, local.metadata.uid) ? 'own' : 'predecessor';
}

/** Whether an object at the provider came there on this route, for whatever pod. */
export function isReflected(
  { metadata }: KubeObject,
  { consumerClusterID, providerClusterID }: PodRoute,
): boolean {
  const marks = metadata?.labels ?? {};
  return (
    marks[labels.origin] === consumerClusterID && marks[labels.destination] === providerClusterID
  );
}

/** One without a UID was made by a virtual kubelet of Liqo, which goes by the name alone. */
function isForUid(remote: KubeObject, uid: string): boolean {
  return [undefined, uid].includes(remote.metadata?.annotations?.[consumerPodUid]);
}
