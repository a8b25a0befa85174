import { ApiError } from '@liqo/kube';

/** A patch that makes no sense. Most of these the server did not expect, and answers without a reason. */
export function patchFault(message: string): ApiError {
  return new ApiError({ status: 'Failure', code: 500, message });
}

/** A directive that is not written as directives are. */
export function malformedPatch(message: string): ApiError {
  return new ApiError({ status: 'Failure', code: 400, reason: 'BadRequest', message });
}

/** A list of lists has nothing to tell its items apart by. */
export function unmergeablePatch(): ApiError {
  const message = 'the server rejected our request due to an error in our request';
  return new ApiError({ status: 'Failure', code: 422, reason: 'Invalid', message, details: {} });
}

/** The object that a patch makes is none of its type. `shown` is the patch, or what came of it, as text. */
export function invalidPatch(shown: string, fact: string): ApiError {
  const message = `Invalid value: ${JSON.stringify(shown)}: ${fact}`;
  return new ApiError({
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: ` "" is invalid: patch: ${message}`,
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  });
}
