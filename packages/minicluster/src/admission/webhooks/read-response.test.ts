import { expect, test } from 'vitest';
import { ResponseError, readResponse } from './read-response.ts';

const review = (response: object | undefined, more: object = {}) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  ...more,
  response,
});
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const patch = encode([{ op: 'remove', path: '/a' }]);

test('readResponse() reads what a webhook decided', () => {
  const status = { code: 418 };
  const response = {
    uid: '1',
    allowed: true,
    status,
    warnings: ['w'],
    patch,
    patchType: 'JSONPatch',
  };
  expect(readResponse(review(response), '1', true)).toEqual({
    allowed: true,
    result: status,
    warnings: ['w'],
    patch: [{ op: 'remove', path: '/a' }],
  });
});

test('readResponse() takes silence for a refusal', () => {
  expect(readResponse(review({ uid: '1' }), '1', false).allowed).toBe(false);
});

test.each([
  ['no response', review(undefined), true, 'webhook response was absent'],
  ['no object', 'hello', true, 'webhook response was absent'],
  ['the wrong uid', review({ uid: '2' }), true, 'expected response.uid="1", got "2"'],
  [
    'another version',
    review({ uid: '1' }, { apiVersion: 'admission.k8s.io/v1beta1' }),
    true,
    'expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview, got admission.k8s.io/v1beta1, Kind=AdmissionReview',
  ],
  [
    'a patch without its type',
    review({ uid: '1', patch }),
    true,
    'webhook returned response.patch but not response.patchType',
  ],
  [
    'a type without its patch',
    review({ uid: '1', patchType: 'JSONPatch' }),
    true,
    'webhook returned response.patchType but not response.patch',
  ],
  [
    'a patch of a validating webhook',
    review({ uid: '1', patch, patchType: 'JSONPatch' }),
    false,
    'validating webhook may not return response.patch',
  ],
  [
    'a patch type of a validating webhook',
    review({ uid: '1', patchType: 'JSONPatch' }),
    false,
    'validating webhook may not return response.patchType',
  ],
])('readResponse() refuses %s', (_, answer, mayPatch, fact) => {
  const error = new ResponseError(`received invalid webhook response: ${fact}`);
  expect(() => readResponse(answer, '1', mayPatch)).toThrow(error);
});

test('readResponse() refuses a patch that is no list', () => {
  const response = {
    uid: '1',
    allowed: true,
    patch: encode({ op: 'add' }),
    patchType: 'JSONPatch',
  };
  expect(() => readResponse(review(response), '1', true)).toThrow('received undecodable patch');
});
