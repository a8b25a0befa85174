import { expect, test } from 'vitest';
import { isGivenUp, type PeerAccess } from './peer-access.ts';

const minutes = 60_000;

test.each<[PeerAccess, number, boolean]>([
  ['forbidden', 0, true],
  ['unauthorized', 0, false],
  ['unauthorized', 15 * minutes - 1, false],
  ['unauthorized', 15 * minutes, true],
  ['unknown', 24 * 60 * minutes, false],
  ['granted', 24 * 60 * minutes, false],
])('isGivenUp() of a peer whose access is %s after %d ms is %s', (access, waitedMs, expected) => {
  expect(isGivenUp(access, waitedMs)).toBe(expected);
});
