import type { ApiError } from '@liqo/kube';
import type { Item } from '../store/collection.ts';
import { ObjectStore } from './object-store.ts';
import { notFound } from './refusal.ts';
import type { ResourceRequest } from './request-info.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';

/** The object a request is about; refuses when it is not there. */
export function find(parts: ServerParts, resource: Resource, target: ResourceRequest): Item {
  const item = new ObjectStore(parts.store, resource).get(keyOfTarget(resource, target));
  if (!item) throw absent(resource, target);
  return item;
}

export function keyOfTarget(
  resource: Resource,
  target: { readonly namespace?: string | undefined; readonly name?: string | undefined },
): string {
  const { namespace, name = '' } = target;
  return resource.namespaced ? `${namespace}/${name}` : name;
}

export function absent(resource: Resource, target: ResourceRequest): ApiError {
  return notFound(resource, target.name ?? '');
}
