import type { Namespace } from '@liqo/kube';
import type { ApiAnswer, ApiRequest } from '../rest/api-request.ts';
import { decodeBody } from '../rest/decode-body.ts';
import { presentObject } from '../rest/present.ts';
import { noSuchPath } from '../rest/refusal.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { absent, keyOfTarget } from '../rest/target.ts';
import { updateObject } from '../rest/update-object.ts';
import { readWriteSettings } from '../rest/write-options.ts';
import type { Item } from '../store/collection.ts';

/** `namespaces/finalize`: takes finalizers off `spec`, the one way to do so. */
export function namespaceFinalize(parts: ServerParts) {
  return async (request: ApiRequest, resource: Resource): Promise<ApiAnswer> => {
    const target = request.info.resource;
    if (!target) throw noSuchPath();
    const settings = readWriteSettings(request);
    const object = decodeBody(resource, request, settings);
    const change = {
      key: keyOfTarget(resource, target),
      subresource: 'finalize',
      settings,
      compute: (current: Item) => ({ ...current, spec: (object as Namespace).spec ?? {} }),
    };
    const updated = await updateObject(parts, resource, request, change);
    if (!updated) throw absent(resource, target);
    return presentObject(parts.clock, resource, request, updated);
  };
}
