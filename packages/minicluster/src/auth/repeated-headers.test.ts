import { expect, test } from 'vitest';
import { readHeaders, splitHeader } from './repeated-headers.ts';

test('readHeaders() keeps the values of a repeated impersonation header apart', () => {
  const headers = readHeaders([
    'Impersonate-Group',
    'a,b',
    'Accept',
    'x',
    'impersonate-group',
    'c',
  ]);
  expect(splitHeader(headers['impersonate-group'])).toEqual(['a,b', 'c']);
  expect(headers.accept).toBe('x');
});

test('readHeaders() joins other repeated headers as HTTP has it', () => {
  expect(readHeaders(['Accept', 'x', 'accept', 'y'])).toEqual({ accept: 'x, y' });
});

test('splitHeader() of an absent header is empty', () => {
  expect(splitHeader(undefined)).toEqual([]);
});
