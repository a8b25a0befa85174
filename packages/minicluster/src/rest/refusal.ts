import { ApiError } from '@liqo/kube';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';

/** How the server says no: one function per reason, in the server's own words. */

interface ResourceName {
  readonly group: string;
  readonly plural: string;
}

/** What is wrong with one field. */
export interface FieldProblem {
  /** `spec.containers[0].name`. */
  readonly field: string;
  readonly reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueDuplicate'
    | 'FieldValueNotSupported'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotFound';
  /** Without the field: `Required value: …`, `Invalid value: "A": …`. */
  readonly message: string;
}

export function notFound(resource: ResourceName, name: string): ApiError {
  return refuse(
    404,
    'NotFound',
    `${qualified(resource)} "${name}" not found`,
    detailsOf(resource, name),
  );
}

export function alreadyExists(
  resource: ResourceName,
  name: string,
  deletedAt?: string | undefined,
): ApiError {
  const leaving = deletedAt === undefined ? '' : 'object is being deleted: ';
  const message = `${leaving}${qualified(resource)} "${name}" already exists`;
  return refuse(409, 'AlreadyExists', message, detailsOf(resource, name));
}

export function conflict(resource: ResourceName, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`;
  return refuse(409, 'Conflict', message, detailsOf(resource, name));
}

/** The version read is not the version there. */
export function modifiedMeanwhile(resource: ResourceName, name: string): ApiError {
  const why =
    'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(resource, name, why);
}

export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  problems: readonly FieldProblem[],
): ApiError {
  const told = [...new Set(problems.map(({ field, message }) => `${field}: ${message}`))];
  const list = told.length === 1 ? told[0] : `[${told.join(', ')}]`;
  const qualifiedKind = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  return refuse(422, 'Invalid', `${qualifiedKind} "${name}" is invalid: ${list}`, {
    ...(name && { name }),
    ...(kind.group && { group: kind.group }),
    ...(kind.kind && { kind: kind.kind }),
    causes: problems.map((problem): StatusCause => ({ ...problem })),
  });
}

export function badRequest(message: string): ApiError {
  return refuse(400, 'BadRequest', message);
}

export function forbidden(resource: ResourceName, name: string, why: string): ApiError {
  const subject = name ? `${qualified(resource)} "${name}"` : qualified(resource);
  return refuse(403, 'Forbidden', `${subject} is forbidden: ${why}`, detailsOf(resource, name));
}

export function unauthorized(): ApiError {
  return refuse(401, 'Unauthorized', 'Unauthorized');
}

/** The path leads to nothing this server has. */
export function noSuchPath(): ApiError {
  return refuse(404, 'NotFound', 'the server could not find the requested resource', {});
}

export function methodNotSupported(resource: ResourceName, verb: string): ApiError {
  const message = `${verb} is not supported on resources of kind "${qualified(resource)}"`;
  return refuse(405, 'MethodNotAllowed', message, detailsOf(resource, ''));
}

export function expired(message: string): ApiError {
  return refuse(410, 'Expired', message);
}

export function unsupportedMediaType(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return refuse(415, 'UnsupportedMediaType', message);
}

export function tooLarge(limitBytes: number): ApiError {
  const message = `Request entity too large: limit is ${limitBytes}`;
  return refuse(413, 'RequestEntityTooLarge', message);
}

export function tooManyRequests(message: string, causes: readonly StatusCause[] = []): ApiError {
  return refuse(429, 'TooManyRequests', message, { causes: [...causes] });
}

export function internalError(cause: unknown): ApiError {
  const said = cause instanceof Error ? cause.message : String(cause);
  return refuse(500, 'InternalError', `Internal error occurred: ${said}`, {
    causes: [{ message: said }],
  });
}

/** `pods`, `deployments.apps`. */
export function qualified({ group, plural }: ResourceName): string {
  return group ? `${plural}.${group}` : plural;
}

function detailsOf({ group, plural }: ResourceName, name: string): object {
  return { ...(name && { name }), ...(group && { group }), kind: plural };
}

function refuse(code: number, reason: string, message: string, details?: object): ApiError {
  return new ApiError({ status: 'Failure', code, reason, message, ...(details && { details }) });
}
