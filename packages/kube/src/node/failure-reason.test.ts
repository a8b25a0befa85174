import { expect, test } from 'vitest';
import { failureReason } from './failure-reason.ts';

test.each([
  ['the message of an error', new Error('connect ECONNREFUSED'), 'connect ECONNREFUSED'],
  ['the name of an error without a message', new RangeError(), 'RangeError'],
  ['a value that is no error', 'no', 'no'],
  [
    'a TLS error without advice on how to run Node',
    new Error('unable to verify; if the root CA is installed locally, try running Node.js'),
    'unable to verify',
  ],
  [
    'each of the failures to reach a host by several addresses, once',
    new AggregateError([new Error('no ::1'), new Error('no 127.0.0.1'), new Error('no ::1')]),
    'no ::1, no 127.0.0.1',
  ],
])('failureReason() gives %s', (_, error, reason) => expect(failureReason(error)).toBe(reason));
