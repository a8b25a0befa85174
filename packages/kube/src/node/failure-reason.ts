/** Newer versions of Node end a TLS error with advice on their own flags, which is not ours to give. */
const advice = /; if the root CA is installed locally, .*$/;

/** Why something failed, in one line for a person. */
export function failureReason(error: unknown): string {
  if (error instanceof AggregateError)
    return [...new Set(error.errors.map(failureReason))].join(', ');
  if (error instanceof Error) return error.message.replace(advice, '') || error.name;
  return String(error);
}
