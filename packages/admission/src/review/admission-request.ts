import { isJsonObject, type KubeObject } from '@liqo/kube';

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** The `request` of an AdmissionReview, as far as rules read it. Published types have none. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: (typeof operations)[number];
  /** In the form that the webhook asked for, which is not necessarily that of the request. */
  readonly resource: {
    readonly group: string;
    readonly version: string;
    readonly resource: string;
  };
  readonly subResource: string;
  /** Empty on a create with `generateName`. */
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly userInfo: { readonly username: string; readonly groups: readonly string[] };
  /** Undefined on deletion. */
  readonly object: KubeObject | undefined;
  /** Undefined on creation. */
  readonly oldObject: KubeObject | undefined;
  readonly dryRun: boolean;
}

/** A body that is no AdmissionReview. The message names the first field that is wrong. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

/** Longer than any UID of an API server. */
const longestUid = 256;

/** Reads the body of a call. Throws a `ReviewError` for everything but an AdmissionReview of version v1 with a request. */
export function readReview(body: string): AdmissionRequest {
  const review = parse(body);
  if (!isJsonObject(review)) throw new ReviewError('the body is not a JSON object');
  if (review.apiVersion !== 'admission.k8s.io/v1' || review.kind !== 'AdmissionReview') {
    throw new ReviewError('the body is not an AdmissionReview of admission.k8s.io/v1');
  }
  const { request } = review;
  if (!isJsonObject(request)) throw new ReviewError('"request" is missing');
  return {
    uid: readUid(request.uid),
    operation: readOperation(request.operation),
    resource: readResource(request.resource),
    subResource: readText(request.subResource, 'request.subResource'),
    name: readText(request.name, 'request.name'),
    namespace: readText(request.namespace, 'request.namespace'),
    userInfo: readUser(request.userInfo),
    object: readObject(request.object, 'request.object'),
    oldObject: readObject(request.oldObject, 'request.oldObject'),
    dryRun: request.dryRun === true,
  };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // What the parser says quotes the body.
    throw new ReviewError('the body is not JSON');
  }
}

function readUid(value: unknown): string {
  const isUid = typeof value === 'string' && value !== '' && value.length <= longestUid;
  if (isUid) return value;
  throw new ReviewError('"request.uid" is missing or too long');
}

function readOperation(value: unknown): AdmissionRequest['operation'] {
  const known = operations.find((operation) => operation === value);
  if (known) return known;
  throw new ReviewError('"request.operation" is not CREATE, UPDATE, DELETE or CONNECT');
}

function readResource(value: unknown): AdmissionRequest['resource'] {
  if (!isJsonObject(value)) throw new ReviewError('"request.resource" is missing');
  return {
    group: readText(value.group, 'request.resource.group'),
    version: readText(value.version, 'request.resource.version'),
    resource: readText(value.resource, 'request.resource.resource'),
  };
}

function readUser(value: unknown): AdmissionRequest['userInfo'] {
  if (!isJsonObject(value)) throw new ReviewError('"request.userInfo" is missing');
  const { groups = [] } = value;
  const areNames = Array.isArray(groups) && groups.every((group) => typeof group === 'string');
  if (!areNames) throw new ReviewError('"request.userInfo.groups" is not a list of names');
  return { username: readText(value.username, 'request.userInfo.username'), groups };
}

/** An absent text is empty, as in Go. */
function readText(value: unknown, path: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  throw new ReviewError(`"${path}" is not a string`);
}

function readObject(value: unknown, path: string): KubeObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw new ReviewError(`"${path}" is not an object`);
  checkMetadata(value.metadata, `${path}.metadata`);
  return value as KubeObject;
}

/** API servers read it for every kind, also before the object is compared with a schema. */
function checkMetadata(metadata: unknown, path: string): void {
  if (!isJsonObject(metadata)) throw new ReviewError(`"${path}" is not an object`);
  checkText(metadata.name, `${path}.name`);
  checkText(metadata.namespace, `${path}.namespace`);
  for (const field of ['labels', 'annotations'] as const) {
    const given = metadata[field];
    if (given === undefined) continue;
    if (!isJsonObject(given)) throw new ReviewError(`"${path}.${field}" is not a map`);
    for (const value of Object.values(given)) checkText(value, `${path}.${field}`);
  }
}

function checkText(value: unknown, path: string): void {
  if (value === undefined || typeof value === 'string') return;
  throw new ReviewError(`"${path}" is not text`);
}
