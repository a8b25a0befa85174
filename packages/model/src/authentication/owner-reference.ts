import { apiVersionOf, type Kind } from '@liqo/kube';

/** The owner whose deletion removes an object, and that its controller works for. */
export function ownerReference(owner: Kind, { name, uid }: { name: string; uid: string }) {
  const apiVersion = apiVersionOf(owner);
  return { apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: true };
}
