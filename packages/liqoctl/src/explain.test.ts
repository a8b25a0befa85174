import { ApiError, DeadlineError, TransportError } from '@liqo/kube';
import { KubeconfigError } from '@liqo/kube/node';
import { expect, test } from 'vitest';
import { attempt, explain } from './explain.ts';
import { UserError } from './user-error.ts';

function refusal(
  reason: string,
  code: number,
  details?: { name: string },
  message = `${reason} it is`,
): ApiError {
  return new ApiError({ reason, code, message, ...(details && { details }) });
}

const lostConnection = new TransportError('The connection ended', { sent: true });

function untrusted(code: string): TransportError {
  const cause = Object.assign(new Error('certificate'), { code });
  return new TransportError('Cannot reach x: certificate', { sent: false, cause });
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}, write`), { code });
}

test.each([
  [refusal('Forbidden', 403), 'Forbidden it is', 'Ask an administrator'],
  [refusal('Unauthorized', 401), 'the server does not accept your credentials', 'Renew'],
  [refusal('NotFound', 404), 'Liqo is not installed in this cluster', 'Install Liqo'],
  [refusal('NotFound', 404, { name: 'a' }), 'NotFound it is', 'Check the name'],
  [refusal('AlreadyExists', 409), 'AlreadyExists it is', 'Choose another name'],
  [refusal('Conflict', 409), 'conflict it is', 'try again'],
  [refusal('Invalid', 422), 'invalid it is', 'Correct'],
  [refusal('InternalError', 500), 'InternalError it is', 'Try again'],
  [new TransportError('Cannot reach x: no', { sent: false }), 'cannot reach x', '--context'],
  [lostConnection, 'the connection ended', 'Try again'],
  [untrusted('SELF_SIGNED_CERT_IN_CHAIN'), 'cannot reach x', 'certificate-authority-data'],
  [untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'cannot reach x', 'certificate-authority-data'],
  [untrusted('CERT_HAS_EXPIRED'), 'cannot reach x', 'clock of this machine'],
  [untrusted('ERR_TLS_CERT_ALTNAME_INVALID'), 'cannot reach x', 'tls-server-name'],
  [
    refusal('InternalError', 500, undefined, 'etcdserver: mvcc: database space exceeded'),
    'etcdserver',
    'etcd',
  ],
  [systemError('ENOSPC', 'no space left on device'), 'ENOSPC: no space left', 'Free some space'],
  [systemError('EDQUOT', 'disk quota exceeded'), 'EDQUOT: disk quota', 'Free some space'],
  [new DeadlineError('Cannot GET /x'), 'the server did not answer in time', 'Try again'],
  [new KubeconfigError({ reason: 'no' }), 'cannot use kubeconfig: no', '--kubeconfig'],
  [new TypeError('x is not a function'), 'x is not a function', 'report it'],
  ['a text', 'a text', 'report it'],
])('explain() puts %s into words', (error, why, hint) => {
  const explained = explain('do it', error);
  expect(explained.message.toLowerCase()).toContain(`cannot do it: ${why.toLowerCase()}`);
  expect(explained.hint).toContain(hint);
  expect(explained.blame).toBe('failure');
});

test('explain() warns that a write whose answer was lost may have taken effect', () => {
  const { hint } = explain('do it', lostConnection, 'write');
  expect(hint).toContain('may have done it');
  const notSent = new TransportError('Cannot reach x: no', { sent: false });
  expect(explain('do it', notSent, 'write').hint).not.toContain('may have done it');
});

test('explain() leaves alone what is in words already', () => {
  const error = new UserError('Cannot do this', { hint: 'Do that', blame: 'usage' });
  expect(explain('do it', error)).toBe(error);
});

test('attempt() gives what there is, and explains what goes wrong', async () => {
  expect(await attempt('do it', Promise.resolve(3))).toBe(3);
  const failing = attempt('do it', Promise.reject(new Error('No way')));
  await expect(failing).rejects.toThrow('Cannot do it: no way');
});
