/** Why something failed, in one line for a person. */
export function failureReason(error: unknown): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map(failureReason))].join(', ');
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}
