import { expect, test } from 'vitest';
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkQualifiedName,
  checkRfc1035Label,
} from './names.ts';

const tooLong = (length: number) => [`is longer than ${length} characters`];

test.each([
  ['web', []],
  ['0-a', []],
  ['a'.repeat(63), []],
  ['a'.repeat(64), tooLong(63)],
  ['', ['is empty']],
  ['Web', ['has characters other than lower-case letters, digits and "-"']],
  ['a.b', ['has characters other than lower-case letters, digits and "-"']],
  ['-a', ['does not start and end with a lower-case letter or a digit']],
  ['a-', ['does not start and end with a lower-case letter or a digit']],
  ['a\n', ['has characters other than lower-case letters, digits and "-"']],
])('checkDnsLabel() finds in %j the faults %j', (value, faults) => {
  expect(checkDnsLabel(value)).toEqual(faults);
});

test.each([
  ['web-1', []],
  ['1-web', ['starts with a digit']],
  ['', ['is empty']],
  ['a'.repeat(64), tooLong(63)],
])('checkRfc1035Label() finds in %j the faults %j', (value, faults) => {
  expect(checkRfc1035Label(value)).toEqual(faults);
});

test.each([
  ['example.com', []],
  ['a', []],
  [`${'a.'.repeat(126)}b`, []],
  ['a'.repeat(254), tooLong(253)],
  ['', ['is empty']],
  ['a..b', ['has a part between dots that is empty']],
  [
    'a.-b.-c',
    ['has a part between dots that does not start and end with a lower-case letter or a digit'],
  ],
  ['a_b', ['has characters other than lower-case letters, digits and "-"']],
])('checkDnsSubdomain() finds in %j the faults %j', (value, faults) => {
  expect(checkDnsSubdomain(value)).toEqual(faults);
});

test.each([
  ['app', []],
  ['My.App_1', []],
  ['app.kubernetes.io/name', []],
  [`${'a'.repeat(253)}/${'b'.repeat(63)}`, []],
  ['', ['is empty']],
  ['/name', ['has a prefix that is empty']],
  [
    'Example.com/name',
    [
      'has a prefix that has a part between dots that has characters other than lower-case letters, digits and "-"',
    ],
  ],
  ['example.com/', ['has a name after the "/" that is empty']],
  [
    'a/b/c',
    ['has a name after the "/" that has characters other than letters, digits, "-", "_" and "."'],
  ],
  ['_app', ['does not start and end with a letter or a digit']],
  ['a'.repeat(64), tooLong(63)],
])('checkQualifiedName() finds in %j the faults %j', (value, faults) => {
  expect(checkQualifiedName(value)).toEqual(faults);
});

test.each([
  ['', []],
  ['v1.2_3-X', []],
  ['a b', ['has characters other than letters, digits, "-", "_" and "."']],
  ['.a', ['does not start and end with a letter or a digit']],
  ['a'.repeat(64), tooLong(63)],
])('checkLabelValue() finds in %j the faults %j', (value, faults) => {
  expect(checkLabelValue(value)).toEqual(faults);
});
