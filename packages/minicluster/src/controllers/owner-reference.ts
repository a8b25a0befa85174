import type { KubeObject, Stored } from '@liqo/kube';
import type { OwnerReference } from 'kubernetes-types/meta/v1.d.ts';

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata?.ownerReferences?.find(({ controller }) => controller);
}

export function isControlledBy(object: KubeObject, owner: Stored<KubeObject>): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

export function forgeControllerReference(owner: Stored<KubeObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner;
  const { name, uid } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
