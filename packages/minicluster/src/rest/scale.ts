import type { KubeObject } from '@liqo/kube';
import { recordScaling } from '../patch/scale-managers.ts';
import { builtInSchemas } from '../schema/built-in-schemas.ts';
import type { Item } from '../store/collection.ts';
import type { ApiAnswer, ApiRequest } from './api-request.ts';
import { managerOf } from './create-object.ts';
import { decodeBody } from './decode-body.ts';
import { invalidValue } from './object-metadata.ts';
import { readPatch } from './patch-object.ts';
import { invalid, methodNotSupported } from './refusal.ts';
import type { ResourceRequest } from './request-info.ts';
import type { Resource, ScalePaths } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import { absent, find, keyOfTarget } from './target.ts';
import { updateObject } from './update-object.ts';
import { readWriteSettings, type WriteSettings } from './write-options.ts';

/** autoscaling/v1 Scale of an object. */
interface Scale extends KubeObject {
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas: number; readonly selector?: string };
}

/** `scale` is a view of three fields of an object: how many are wanted, how many there are, and which they are. */
export async function handleScale(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const paths = resource.scale;
  if (!paths) throw methodNotSupported(resource, request.info.verb);
  if (request.info.verb === 'get') {
    return { status: 200, body: scaleOf(paths, find(parts, resource, target)) };
  }
  const settings = readWriteSettings(request);
  const wantedOf = readScale(scaleKindOf(resource), request, settings);
  const compute = (current: Item) => {
    const wanted = wantedOf(scaleOf(paths, current));
    if (!resource.custom) refuseBadScale(wanted, current);
    const { uid = current.metadata.uid, resourceVersion } = wanted.metadata ?? {};
    const metadata = { ...current.metadata, uid, ...(resourceVersion && { resourceVersion }) };
    const [before, after] = [paths.specReplicas(current), wanted.spec?.replicas ?? 0];
    const scaling = { ...managerOf(resource, settings), path: paths.replicasPath, before, after };
    return recordScaling(paths.withReplicas({ ...current, metadata }, after), scaling);
  };
  const change = {
    key: keyOfTarget(resource, target),
    subresource: 'scale',
    settings,
    compute,
    ownsManagedFields: true,
  };
  const updated = await updateObject(parts, resource, request, change);
  if (!updated) throw absent(resource, target);
  return { status: 200, body: scaleOf(paths, updated) };
}

/** What the body of a write makes of a scale. */
function readScale(
  kind: Resource,
  request: ApiRequest,
  settings: WriteSettings,
): (current: Item) => Scale {
  if (request.info.verb === 'patch') return readPatch(kind, request, settings);
  const sent = decodeBody(kind, request, settings);
  return () => sent;
}

/** What is read and written in the place of an object is of a kind of its own. */
function scaleKindOf({ decode: _, ...resource }: Resource): Resource {
  const gvk = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  const schemas = builtInSchemas();
  const schema = schemas.ofKind(gvk.group, gvk.version, gvk.kind);
  if (!schema) throw new Error('Cannot read a scale: there is no schema of its kind');
  return { ...resource, ...gvk, schemas, schema, strategy: {} };
}

function refuseBadScale({ spec }: Scale, current: Item): void {
  const { replicas = 0 } = spec ?? {};
  if (replicas >= 0) return;
  const problem = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, current.metadata.name, [problem]);
}

export function scaleOf(paths: ScalePaths, item: Item): Item & Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = item.metadata;
  const wanted = paths.specReplicas(item);
  const selector = paths.selector(item);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace: namespace ?? '', uid, resourceVersion, creationTimestamp },
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas: paths.statusReplicas(item), ...(selector && { selector }) },
  };
}
