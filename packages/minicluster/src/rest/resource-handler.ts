import type { KubeObject } from '@liqo/kube';
import type { Item } from '../store/collection.ts';
import type { ApiAnswer, ApiRequest } from './api-request.ts';
import { createObject } from './create-object.ts';
import { decodeBody } from './decode-body.ts';
import { deleteObject } from './delete-object.ts';
import { listObjects } from './list-objects.ts';
import { patchObject } from './patch-object.ts';
import { presentList, presentObject, presentWatch } from './present.ts';
import { conflict, methodNotSupported, noSuchPath } from './refusal.ts';
import type { ResourceRequest } from './request-info.ts';
import type { Resource } from './resource.ts';
import { handleScale } from './scale.ts';
import type { ServerParts } from './server-parts.ts';
import { absent, find, keyOfTarget } from './target.ts';
import { updateObject } from './update-object.ts';
import { watchObjects } from './watch-objects.ts';
import { readDeleteSettings, readWriteSettings } from './write-options.ts';

/** One request for a resource or one of its subresources. */
export async function handleResource(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const { verb } = request.info;
  if (target.subresource) return handleSubresource(parts, resource, request, target);
  if (!resource.verbs.includes(verb)) throw methodNotSupported(resource, verb);
  switch (verb) {
    case 'get':
      return presentObject(parts.clock, resource, request, find(parts, resource, target));
    case 'list':
      return presentList(
        parts.clock,
        resource,
        request,
        listObjects(parts.store, resource, request),
      );
    case 'watch':
      return presentWatch(parts, resource, request, watchObjects(parts, resource, request));
    case 'create':
      return create(parts, resource, request);
    case 'update':
      return update(parts, resource, request, target);
    case 'patch':
      return patchObject(parts, resource, request, target);
    case 'delete':
      return remove(parts, resource, request, target);
    case 'deletecollection':
      return removeAll(parts, resource, request);
    default:
      throw methodNotSupported(resource, verb);
  }
}

async function handleSubresource(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const { verb } = request.info;
  const subresource = resource.subresources.get(target.subresource);
  if (!subresource) throw noSuchPath();
  if (!subresource.verbs.includes(verb)) throw methodNotSupported(resource, verb);
  if (subresource.handle) return subresource.handle(request, resource);
  if (target.subresource === 'scale') return handleScale(parts, resource, request, target);
  if (verb === 'get')
    return presentObject(parts.clock, resource, request, find(parts, resource, target));
  if (verb === 'patch') return patchObject(parts, resource, request, target);
  return update(parts, resource, request, target);
}

async function create(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
): Promise<ApiAnswer> {
  const settings = readWriteSettings(request);
  const object = decodeBody(resource, request, settings);
  const created = await createObject(parts, resource, request, object, settings);
  return { ...presentObject(parts.clock, resource, request, created), status: 201 };
}

async function update(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const settings = readWriteSettings(request);
  const object = decodeBody(resource, request, settings);
  const { subresource } = target;
  const change = {
    key: keyOfTarget(resource, target),
    subresource,
    settings,
    compute: () => object,
  };
  const updated = await updateObject(parts, resource, request, change);
  if (updated) return presentObject(parts.clock, resource, request, updated);
  // A status that is put where nothing is creates the whole object, for the kinds that may be created so.
  const mayCreate = subresource === '' || subresource === 'status';
  if (!resource.strategy.createsOnUpdate || !mayCreate) throw absent(resource, target);
  refuseUidOfNothing(resource, object);
  const created = await createObject(parts, resource, request, object, settings);
  return { ...presentObject(parts.clock, resource, request, created), status: 201 };
}

/** Whoever names a UID means an object that is there. */
function refuseUidOfNothing(resource: Resource, { metadata }: KubeObject): void {
  if (!metadata?.uid) return;
  const why = `Precondition failed: UID in precondition: ${metadata.uid}, UID in object meta: `;
  throw conflict(resource, metadata.name ?? '', why);
}

async function remove(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const settings = readDeleteSettings(request);
  const key = keyOfTarget(resource, target);
  const deletion = await deleteObject(parts, resource, request, key, settings);
  if (!deletion) throw absent(resource, target);
  if ('lingers' in deletion) return presentObject(parts.clock, resource, request, deletion.lingers);
  if (resource.strategy.returnsDeleted)
    return presentObject(parts.clock, resource, request, deletion.gone);
  return { status: 200, body: successStatus(resource, deletion.gone) };
}

async function removeAll(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
): Promise<ApiAnswer> {
  const settings = readDeleteSettings(request);
  const page = listObjects(parts.store, resource, request);
  for (const item of page.items) {
    const key = keyOfTarget(resource, { ...item.metadata, namespace: item.metadata.namespace });
    await deleteObject(parts, resource, request, key, settings);
  }
  return presentList(parts.clock, resource, request, page);
}

function successStatus(resource: Resource, gone: Item): KubeObject {
  const { name, uid } = gone.metadata;
  const details = {
    name,
    ...(resource.group && { group: resource.group }),
    kind: resource.plural,
    uid,
  };
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return status;
}
