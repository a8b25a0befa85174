import { expect, test } from 'vitest';
import {
  allowingPrefix,
  configKeyFaults,
  dnsLabelFaults,
  labelValueFaults,
  portNameFaults,
  qualifiedNameFaults,
} from './names.ts';

test('dnsLabelFaults() says so when only the dots are wrong', () => {
  expect(dnsLabelFaults('a-1')).toEqual([]);
  expect(dnsLabelFaults('a.b')).toEqual(['must not contain dots']);
  expect(dnsLabelFaults('A')).toEqual([
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
  ]);
  expect(dnsLabelFaults('a'.repeat(64))).toEqual(['must be no more than 63 characters']);
});

test('qualifiedNameFaults() checks the prefix and the name apart', () => {
  expect(qualifiedNameFaults('example.com/My_Name')).toEqual([]);
  expect(qualifiedNameFaults('/name')).toEqual(['prefix part must be non-empty']);
  expect(qualifiedNameFaults('example.com/')[0]).toBe('name part must be non-empty');
  expect(qualifiedNameFaults('a/b/c')).toHaveLength(1);
  expect(qualifiedNameFaults('a'.repeat(64))).toEqual(['name part must be no more than 63 bytes']);
});

test('labelValueFaults() lets a value be empty', () => {
  expect(labelValueFaults('')).toEqual([]);
  expect(labelValueFaults('-a')).toHaveLength(1);
});

test('configKeyFaults() refuses keys that lead out of a directory', () => {
  expect(configKeyFaults('..data')).toEqual(["must not start with '..'"]);
  expect(configKeyFaults('..')).toEqual(["must not be '..'"]);
  expect(configKeyFaults('.hidden')).toEqual([]);
});

test('portNameFaults() tells everything that is wrong at once', () => {
  expect(portNameFaults('http-2')).toEqual([]);
  expect(portNameFaults('-1--2-')).toEqual([
    'must contain at least one letter (a-z)',
    'must not contain consecutive hyphens',
    'must not begin or end with a hyphen',
  ]);
});

test('allowingPrefix() lets a prefix end with a dash', () => {
  const faults = allowingPrefix(dnsLabelFaults);
  expect(faults('web-', true)).toEqual([]);
  expect(faults('web-', false)).toHaveLength(1);
});
