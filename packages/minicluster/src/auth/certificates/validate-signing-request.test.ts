import { expect, test } from 'vitest';
import { printPem } from './pem.ts';
import { validateSigningRequest } from './validate-signing-request.ts';

const encode = (text: string) => Buffer.from(text).toString('base64');
const problemsOf = (spec: object, status: object = {}) =>
  validateSigningRequest({
    spec: { usages: ['any'], signerName: 'a.b/c', ...spec },
    status,
  } as object)
    .filter(({ field }) => field !== 'spec.request')
    .map(({ field, message }) => `${field}: ${message}`);

test('validateSigningRequest() shows the request it cannot read', () => {
  const [problem] = validateSigningRequest({
    spec: { request: encode('hello'), usages: ['any'], signerName: 'a.b/c' },
  } as object);
  expect(problem).toEqual({
    field: 'spec.request',
    reason: 'FieldValueInvalid',
    message: 'Invalid value: "aGVsbG8=": PEM block type must be CERTIFICATE REQUEST',
  });
});

test.each([
  ['nothing wrong', {}, []],
  ['no usages', { usages: [] }, ['spec.usages: Required value']],
  ['a usage twice', { usages: ['any', 'any'] }, ['spec.usages[1]: Duplicate value: "any"']],
  ['no signer', { signerName: '' }, ['spec.signerName: Required value']],
  [
    'the old signer',
    { signerName: 'kubernetes.io/legacy-unknown' },
    [
      'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
    ],
  ],
  [
    'too short a time',
    { expirationSeconds: 599 },
    [
      'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
    ],
  ],
])('validateSigningRequest() finds %s', (_, spec, expected) => {
  expect(problemsOf(spec)).toEqual(expected);
});

test.each([
  ['of any status', [{ type: 'Seen', status: 'False' }], []],
  ['without a type', [{ status: 'True' }], ['status.conditions[0].type: Required value']],
  ['without a status', [{ type: 'Seen' }], ['status.conditions[0].status: Required value']],
  [
    'that denies a denial',
    [{ type: 'Denied', status: 'False' }],
    ['status.conditions[0].status: Unsupported value: "False": supported values: "True"'],
  ],
  [
    'that contradicts another',
    [
      { type: 'Denied', status: 'True' },
      { type: 'Approved', status: 'True' },
    ],
    [
      'status.conditions: Invalid value: "Approved": Approved and Denied conditions are mutually exclusive',
    ],
  ],
])('validateSigningRequest() on a condition %s', (_, conditions, expected) => {
  expect(problemsOf({}, { conditions })).toEqual(expected);
});

test.each([
  ['hello', 'must contain at least one CERTIFICATE PEM block'],
  [printPem('KEY', Buffer.of(0)), 'only CERTIFICATE PEM blocks are allowed, found "KEY"'],
  [printPem('CERTIFICATE', Buffer.of(0x30, 0)), 'x509: malformed certificate'],
])('validateSigningRequest() refuses %j for a certificate', (pem, detail) => {
  expect(problemsOf({}, { certificate: encode(pem) })).toEqual([
    `status.certificate: Invalid value: "<certificate data>": ${detail}`,
  ]);
});
