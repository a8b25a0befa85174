import type { CertificateSigningRequest, Stored } from '@liqo/kube';
import { expect, test } from 'vitest';
import { isWaiting } from './signing-controller.ts';

const request = (types: readonly string[], certificate = '', signer = 'kubelet-serving') =>
  ({
    spec: { request: '', signerName: `kubernetes.io/${signer}`, usages: [] },
    status: {
      conditions: types.map((type) => ({ type, status: 'True' })),
      ...(certificate && { certificate }),
    },
  }) as unknown as Stored<CertificateSigningRequest>;

test.each([
  ['approved', request(['Approved']), true],
  ['new', request([]), false],
  ['denied', request(['Denied']), false],
  ['approved and denied', request(['Approved', 'Denied']), false],
  ['signed', request(['Approved'], 'x'), false],
  ['failed', request(['Approved', 'Failed']), false],
  ['for another signer', request(['Approved'], '', 'other'), false],
])('isWaiting() of a request that is %s: %s', (_, given, expected) => {
  expect(isWaiting(given)).toBe(expected);
});
