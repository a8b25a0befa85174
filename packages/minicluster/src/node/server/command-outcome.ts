/** How a command ended: its exit code, or why it could not be run. */
export type Outcome = { readonly exitCode: number } | { readonly failure: string };

/** The `Status` that tells a client how its command ended (version 4 of the remote command protocol). */
export function statusOf(outcome: Outcome): object {
  const head = { metadata: {} };
  if ('failure' in outcome) {
    const { failure } = outcome;
    const details = { causes: [{ message: failure }] };
    const message = `Internal error occurred: ${failure}`;
    return { ...head, status: 'Failure', message, reason: 'InternalError', details, code: 500 };
  }
  if (outcome.exitCode === 0) return { ...head, status: 'Success' };
  const exitCode = String(outcome.exitCode);
  return {
    ...head,
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: exitCode }] },
  };
}
