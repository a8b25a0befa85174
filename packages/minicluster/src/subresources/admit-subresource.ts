import type { KubeObject } from '@liqo/kube';
import type { ApiRequest } from '../rest/api-request.ts';
import { noSuchPath } from '../rest/refusal.ts';
import type { Resource } from '../rest/resource.ts';
import type { ServerParts } from '../rest/server-parts.ts';
import { readWriteSettings } from '../rest/write-options.ts';

/**
 * Asks admission about a request to a subresource that stores no object: a connection, with the options of its query as
 * `object`, or the creation of something that is not kept, such as a binding.
 */
export async function admitSubresource(
  { admission }: ServerParts,
  request: ApiRequest,
  resource: Resource,
  operation: 'CREATE' | 'CONNECT',
  object: object,
): Promise<void> {
  const target = request.info.resource;
  if (!target) throw noSuchPath();
  const isCreation = operation === 'CREATE';
  const attributes = {
    operation,
    resource,
    subresource: target.subresource,
    namespace: target.namespace,
    name: target.name ?? '',
    object: object as KubeObject,
    previous: undefined,
    options: isCreation ? { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' } : undefined,
    dryRun: isCreation && readWriteSettings(request).dryRun,
    user: request.user,
    signal: request.signal,
    warn: request.warn,
  };
  await admission.mutate(attributes);
  await admission.validate(attributes);
}
