import type { KubeObject } from '@liqo/kube';
import type { ApiRequest } from './api-request.ts';
import { badRequest } from './refusal.ts';
import type { Resource } from './resource.ts';

/**
 * The object at the place that its request is about: what it says of that itself must be true, and may be nothing. A
 * request that is about no place leaves it where it is.
 */
export function atAddressOf(
  request: ApiRequest,
  resource: Resource,
  object: KubeObject,
): KubeObject {
  if (!request.info.resource) return object;
  const placed = inNamespaceOf(request, resource, object);
  refuseOtherName(request, placed);
  return placed;
}

/** An object belongs to the namespace of its path; it may say so itself, but not something else. */
export function inNamespaceOf(
  request: ApiRequest,
  resource: Resource,
  object: KubeObject,
): KubeObject {
  const own = object.metadata?.namespace;
  if (!resource.namespaced) return own === undefined ? object : withoutNamespace(object);
  const namespace = request.info.resource?.namespace;
  if (!namespace) throw badRequest('an empty namespace may not be set during creation');
  if (own === namespace) return object;
  if (!own) return { ...object, metadata: { ...object.metadata, namespace } };
  throw badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  );
}

function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _, ...metadata } = object.metadata ?? {};
  return { ...object, metadata };
}

/** Only a creation may leave the name open, as its path does. */
function refuseOtherName({ info }: ApiRequest, { metadata }: KubeObject): void {
  const asked = info.resource?.name;
  if (asked === undefined || metadata?.name === asked) return;
  throw badRequest(
    metadata?.name
      ? `the name of the object (${metadata.name}) does not match the name on the URL (${asked})`
      : `the name of the object (${asked} based on URL) was undeterminable: name must be provided`,
  );
}
