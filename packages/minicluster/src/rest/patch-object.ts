import {
  applyMergePatch,
  formatTime,
  JsonPatchError,
  type JsonPatchOperation,
  type KubeObject,
} from '@liqo/kube';
import { applyOperations } from '../patch/apply-operations.ts';
import { invalidPatch, unmergeablePatch } from '../patch/patch-fault.ts';
import { applyConfiguration } from '../patch/server-side-apply.ts';
import { patchStrategically } from '../patch/strategic-merge.ts';
import type { Decoded } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-error.ts';
import { strictDecodingError } from '../schema/strict-fields.ts';
import type { Item } from '../store/collection.ts';
import type { ApiAnswer, ApiRequest } from './api-request.ts';
import { createObject, managerOf } from './create-object.ts';
import { completeObject, decodeAs, parsePatch, tellProblems } from './decode-body.ts';
import { atAddressOf } from './object-address.ts';
import { presentObject } from './present.ts';
import { type FieldProblem, invalid, unsupportedMediaType } from './refusal.ts';
import type { ResourceRequest } from './request-info.ts';
import type { Resource } from './resource.ts';
import type { ServerParts } from './server-parts.ts';
import { absent, keyOfTarget } from './target.ts';
import { updateObject } from './update-object.ts';
import { readWriteSettings, type WriteSettings } from './write-options.ts';

const jsonPatchType = 'application/json-patch+json';
const mergePatchType = 'application/merge-patch+json';
const strategicType = 'application/strategic-merge-patch+json';
const applyType = 'application/apply-patch+yaml';

export async function patchObject(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
): Promise<ApiAnswer> {
  const settings = readWriteSettings(request);
  if (contentTypeOf(request) === applyType)
    return apply(parts, resource, request, target, settings);
  const change = {
    key: keyOfTarget(resource, target),
    subresource: target.subresource,
    settings,
    isPatch: true,
    compute: readPatch(resource, request, settings),
  };
  const patched = await updateObject(parts, resource, request, change);
  if (!patched) throw absent(resource, target);
  return presentObject(parts.clock, resource, request, patched);
}

function contentTypeOf(request: ApiRequest): string {
  return request.headers['content-type']?.split(';', 1)[0] ?? '';
}

/** What the patch in a body makes of an object. One that is applied is merged here, whoever manages what. */
export function readPatch(
  resource: Resource,
  request: ApiRequest,
  settings: WriteSettings,
): (current: Item) => KubeObject {
  const patch = patcherOf(resource, contentTypeOf(request), request);
  return (current) => {
    const { object, unknownFields } = patch(current);
    const problems = unknownFields.map((field) => `unknown field "${field}"`);
    if (settings.fieldValidation === 'Strict' && problems.length > 0) {
      throw invalidPatch(JSON.stringify(object), strictDecodingError(problems));
    }
    tellProblems(resource, request, problems, settings);
    return atAddressOf(request, resource, completeObject(resource, object));
  };
}

type Patcher = (current: Item) => Decoded;

function patcherOf(resource: Resource, contentType: string, request: ApiRequest): Patcher {
  const strategic = resource.custom ? [] : [strategicType];
  const accepted = [jsonPatchType, mergePatchType, ...strategic, applyType];
  if (!accepted.includes(contentType)) throw unsupportedMediaType(accepted);
  if (contentType === jsonPatchType) {
    const operations = parsePatch(request, 'array', '[]handlers.jsonPatchOp');
    return (current) => decodePatched(resource, jsonPatched(current, operations));
  }
  const patch = parsePatch(request, 'object', 'map[string]interface {}') as object;
  if (contentType === mergePatchType) {
    return (current) => decodePatched(resource, applyMergePatch<unknown>(current, patch));
  }
  return (current) => patchStrategically(resource.schemas, resource.schema, current, patch);
}

function jsonPatched(current: Item, operations: unknown): unknown {
  try {
    return applyOperations(current, operations as readonly JsonPatchOperation[]);
  } catch (error) {
    throw error instanceof JsonPatchError ? unmergeablePatch() : error;
  }
}

function decodePatched(resource: Resource, patched: unknown): Decoded {
  try {
    return decodeAs(resource, patched);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw invalidPatch(JSON.stringify(patched), error.message);
  }
}

/** Server-side apply: creates what is not there. */
async function apply(
  parts: ServerParts,
  resource: Resource,
  request: ApiRequest,
  target: ResourceRequest,
  settings: WriteSettings,
): Promise<ApiAnswer> {
  if (!request.query.get('fieldManager')) throw managerRequired();
  const applied = parsePatch(request, 'object', 'map[string]interface {}') as KubeObject;
  const by = {
    ...managerOf(resource, settings),
    force: settings.force,
    time: formatTime(parts.clock.now()),
    ...(target.subresource && { subresource: target.subresource }),
  };
  const configure = (live: Item | undefined) => {
    const { object } = applyConfiguration(resource.schemas, resource.schema, live, applied, by);
    const complete = completeObject(resource, decodePatched(resource, object).object);
    return atAddressOf(request, resource, complete);
  };
  const change = {
    key: keyOfTarget(resource, target),
    subresource: target.subresource,
    settings,
    compute: configure,
    ownsManagedFields: true,
    isPatch: true,
  };
  const updated = await updateObject(parts, resource, request, change);
  if (updated) return presentObject(parts.clock, resource, request, updated);
  if (!createsWhenAbsent(resource, target)) throw absent(resource, target);
  const created = await createObject(parts, resource, request, configure(undefined), {
    ...settings,
    ownsManagedFields: true,
  });
  return { ...presentObject(parts.clock, resource, request, created), status: 201 };
}

/** A status that is applied where nothing is creates the whole object, for the kinds that may be created so. */
function createsWhenAbsent({ strategy }: Resource, { subresource }: ResourceRequest): boolean {
  return subresource === '' || (subresource === 'status' && strategy.createsOnUpdate === true);
}

function managerRequired() {
  const problem: FieldProblem = {
    field: 'fieldManager',
    reason: 'FieldValueRequired',
    message: 'Required value: is required for apply patch',
  };
  return invalid({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [problem]);
}
