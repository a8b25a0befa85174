import type { Status, StatusCause } from 'kubernetes-types/meta/v1.d.ts';

/**
 * What the API server tells a client of how its command ended, given what the kubelet said on the stream for errors: it
 * reads the kubelet's `Status` and writes one of its own.
 */
export function readCommandStatus(said: string): Status {
  if (said === '') return success;
  const status = parseStatus(said);
  if (!status) return commandFailure(`error stream protocol error: unknown error in "${said}"`);
  if (status.status === 'Success') return success;
  if (status.reason !== 'NonZeroExitCode') return commandFailure(status.message ?? '');
  const cause = status.details?.causes?.find(isExitCode);
  return cause ? exited(cause) : commandFailure(noExitCode);
}

/** That the command could not be run, or its end is not known. */
export function commandFailure(error: unknown): Status {
  const fact = error instanceof Error ? error.message : String(error);
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${fact}`,
    reason: 'InternalError',
    details: { causes: [{ message: fact }] },
    code: 500,
  };
}

const success: Status = { metadata: {}, status: 'Success' };
const noExitCode = 'error stream protocol error: no ExitCode cause given';

function isExitCode({ reason }: StatusCause): boolean {
  return reason === 'ExitCode';
}

function exited({ message }: StatusCause): Status {
  const fact = `command terminated with exit code ${message}`;
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: ${fact}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: message ?? '' }] },
  };
}

function parseStatus(said: string): Status | undefined {
  try {
    const status = JSON.parse(said) as Status;
    return status.status === 'Success' || status.status === 'Failure' ? status : undefined;
  } catch {
    return undefined;
  }
}
