import type { Status, StatusDetails } from 'kubernetes-types/meta/v1.d.ts';
import { truncateText } from './foreign-text.ts';
import { TransportError } from './transport.ts';

/** Room for the refusal of a large object with all its causes; a message of megabytes would be kept with the error. */
const maxMessageBytes = 32 * 1024;
const maxReasonBytes = 128;

/** The API server answered, and the answer is no. What it says of itself may have any type: a server of another party says it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status. */
  readonly code: number;
  /** One word, as Kubernetes spells it: `NotFound`, `Conflict`, `Invalid` … */
  readonly reason: string;
  readonly details: StatusDetails | undefined;
  /** How long the server asked us to stay away. */
  readonly retryAfterMs: number | undefined;

  constructor(status: Status, options: { retryAfterMs?: number | undefined } = {}) {
    const [message, reason] = [asText(status.message), asText(status.reason)];
    const code = typeof status.code === 'number' ? status.code : 0;
    super(truncateText(message || reason || `The server answered ${code}`, maxMessageBytes));
    this.code = code;
    this.reason = truncateText(reason, maxReasonBytes);
    this.details = status.details;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isNotFound(error: unknown): error is ApiError {
  return hasReason(error, 'NotFound', 404);
}

/** Somebody else changed the object since it was read. An `AlreadyExists` is a 409 too, and not one of these. */
export function isConflict(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 409 && error.reason !== 'AlreadyExists';
}

export function isAlreadyExists(error: unknown): error is ApiError {
  return hasReason(error, 'AlreadyExists', 0);
}

/** The version asked for is older than what the server remembers: list anew. */
export function isExpired(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 410;
}

export function isInvalid(error: unknown): error is ApiError {
  return hasReason(error, 'Invalid', 422);
}

export function isForbidden(error: unknown): error is ApiError {
  return hasReason(error, 'Forbidden', 403);
}

export function isUnauthorized(error: unknown): error is ApiError {
  return hasReason(error, 'Unauthorized', 401);
}

export function isTooManyRequests(error: unknown): error is ApiError {
  return hasReason(error, 'TooManyRequests', 429);
}

/** The same request may well succeed later, without anybody changing anything. */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  if (!(error instanceof ApiError)) return false;
  return error.code === 429 || error.code === 408 || error.code >= 500;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function hasReason(error: unknown, reason: string, code: number): error is ApiError {
  return error instanceof ApiError && (error.reason === reason || error.code === code);
}
