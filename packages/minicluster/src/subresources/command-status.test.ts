import { expect, test } from 'vitest';
import { commandFailure, readCommandStatus } from './command-status.ts';

const success = { metadata: {}, status: 'Success' };

test.each([
  ['nothing at all', '', success],
  ['success', '{"status":"Success"}', success],
  [
    'an exit code',
    '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}}',
    {
      metadata: {},
      status: 'Failure',
      message: 'command terminated with non-zero exit code: command terminated with exit code 3',
      reason: 'NonZeroExitCode',
      details: { causes: [{ reason: 'ExitCode', message: '3' }] },
    },
  ],
  ['a failure', '{"status":"Failure","message":"no"}', commandFailure('no')],
  [
    'an exit code that is missing',
    '{"status":"Failure","reason":"NonZeroExitCode"}',
    commandFailure('error stream protocol error: no ExitCode cause given'),
  ],
  ['anything else', 'gone', commandFailure('error stream protocol error: unknown error in "gone"')],
])('readCommandStatus() makes of %s what a client can read', (_, said, status) => {
  expect(readCommandStatus(said)).toEqual(status);
});
