import { ApiError } from '@liqo/kube';

/** Refused because the namespace is being deleted: nothing is to be created there any more. */
export function isNamespaceTerminating(error: unknown): boolean {
  const causes = error instanceof ApiError ? error.details?.causes : undefined;
  return causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}
