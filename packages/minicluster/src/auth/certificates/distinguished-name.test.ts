import { expect, test } from 'vitest';
import { decode, objectIdentifier, sequence, setOf, text } from './der.ts';
import {
  commonNameOf,
  decodeName,
  encodeName,
  nameOf,
  organizationsOf,
} from './distinguished-name.ts';

const attribute = (id: string, value: string) => setOf(sequence(objectIdentifier(id), text(value)));

test('encodeName() puts all organizations into one component, in the order of their bytes', () => {
  const name = decodeName(decode(encodeName(nameOf('jane', ['team b', 'team a']))));
  expect(commonNameOf(name)).toBe('jane');
  expect(organizationsOf(name)).toEqual(['team a', 'team b']);
});

test('decodeName() takes the last common name, and organizations as they come', () => {
  const encoded = sequence(
    attribute('2.5.4.3', 'first'),
    attribute('2.5.4.10', 'b'),
    attribute('2.5.4.10', 'a'),
    attribute('2.5.4.3', 'last'),
  );
  const name = decodeName(decode(encoded));
  expect(commonNameOf(name)).toBe('last');
  expect(organizationsOf(name)).toEqual(['b', 'a']);
});

test('encodeName() leaves out attributes that Kubernetes does not carry over', () => {
  const name = decodeName(decode(sequence(attribute('0.9.2342.19200300.100.1.1', 'uid'))));
  expect(encodeName(name)).toEqual(sequence());
});

test('a name without a common name or organizations has none', () => {
  expect(commonNameOf(new Map())).toBe('');
  expect(organizationsOf(new Map())).toEqual([]);
});
