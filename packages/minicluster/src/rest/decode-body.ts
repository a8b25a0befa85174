import { apiVersionOf, isJsonObject, type KubeObject } from '@liqo/kube';
import { type Decoded, decodeObject } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-error.ts';
import { strictDecodingError, strictProblems } from '../schema/strict-fields.ts';
import type { ApiRequest } from './api-request.ts';
import { withDistinctOwners } from './distinct-owners.ts';
import { atAddressOf } from './object-address.ts';
import { badRequest, unsupportedMediaType } from './refusal.ts';
import type { Resource } from './resource.ts';
import type { WriteSettings } from './write-options.ts';

const bodyTypes = ['application/json', 'application/yaml'];

/** The object in the body of a create or an update, with its defaults. */
export function decodeBody(
  resource: Resource,
  request: ApiRequest,
  settings: WriteSettings,
): KubeObject {
  const contentType = request.headers['content-type']?.split(';', 1)[0] ?? 'application/json';
  if (!bodyTypes.includes(contentType)) throw unsupportedMediaType(bodyTypes);
  const value = parseBody(request);
  refuseOtherKind(resource, value);
  const { object, unknownFields } = decodeOrRefuse(resource, value);
  const problems = strictProblems(request.body, value, unknownFields);
  tellProblems(resource, request, problems, settings);
  const placed = atAddressOf(request, resource, completeObject(resource, object));
  return withDistinctOwners(placed, request, 'sent');
}

/** A value as an object of the resource. Throws a `DecodeError` when it cannot be one. */
export function decodeAs(resource: Resource, value: unknown): Decoded {
  return resource.decode?.(value) ?? decodeObject(resource.schemas, resource.schema, value);
}

/** With its kind and version, and everything filled in that was left out. */
export function completeObject(resource: Resource, object: unknown): KubeObject {
  const typed = { apiVersion: apiVersionOf(resource), kind: resource.kind, ...(object as object) };
  return resource.strategy.withDefaults?.(typed) ?? typed;
}

/** Says what is odd about a body as the client wants to be told: not at all, as warnings, or as a refusal. */
export function tellProblems(
  resource: Resource,
  request: ApiRequest,
  problems: readonly string[],
  { fieldValidation }: WriteSettings,
): void {
  if (fieldValidation === 'Ignore' || problems.length === 0) return;
  if (fieldValidation === 'Strict')
    throw badRequest(cannotHandle(resource, strictDecodingError(problems)));
  for (const problem of problems) request.warn(problem);
}

function cannotHandle({ kind, version }: Resource, why: string): string {
  return `${kind} in version "${version}" cannot be handled as a ${kind}: ${why}`;
}

function decodeOrRefuse(resource: Resource, value: unknown): Decoded {
  try {
    return decodeAs(resource, value);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw badRequest(cannotHandle(resource, error.message));
  }
}

export function parseBody(request: ApiRequest): unknown {
  try {
    return JSON.parse(request.body);
  } catch (error) {
    throw badRequest(`the object provided is unrecognized (must be of type JSON): ${said(error)}`);
  }
}

/** The patch in a body, which is a list or an object; `goType` is what the server calls that. */
export function parsePatch(request: ApiRequest, type: 'array' | 'object', goType: string): unknown {
  const patch = parsePatchText(request.body);
  const given = Array.isArray(patch) ? 'array' : isJsonObject(patch) ? 'object' : typeof patch;
  if (given === type) return patch;
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${given} into Go value of type ${goType}`,
  );
}

function parsePatchText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding patch: ${said(error)}`);
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refuseOtherKind(resource: Resource, value: unknown): void {
  if (!isJsonObject(value)) throw badRequest('the object provided is unrecognized');
  const ours = apiVersionOf(resource);
  const { kind = resource.kind, apiVersion = ours } = value;
  if (kind === resource.kind && apiVersion === ours) return;
  const version = String(apiVersion).split('/').at(-1);
  const from = `(${apiVersion}, Kind=${kind})`;
  throw badRequest(
    `${kind} in version "${version}" cannot be handled as a ${resource.kind}: converting ${from} to expected type (${ours}, Kind=${resource.kind})`,
  );
}
