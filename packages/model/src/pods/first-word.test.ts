import { expect, test } from 'vitest';
import { firstWordDueInMs, spreadOverSecond } from './first-word.ts';

const beganAt = '2026-01-01T00:00:10Z';
const beganMs = Date.parse(beganAt);

test.each([
  ['just began', 0, 2_000],
  ['began a moment ago', 1_500, 500],
  ['began by a clock a little ahead of ours', -500, 2_500],
  ['has waited long enough', 2_000, 0],
  ['began long ago', 3_600_000, 0],
  ['begins in an hour, as it says', -3_600_000, 0],
])('firstWordDueInMs() of a pod that %s', (_, ageMs, waitMs) => {
  expect(firstWordDueInMs(beganAt, beganMs + ageMs)).toBe(waitMs);
});

test('firstWordDueInMs() does not wait for a pod of which nobody says when it began', () => {
  expect(firstWordDueInMs(undefined, beganMs)).toBe(0);
});

test('firstWordDueInMs() waits for as long as it is told', () => {
  expect(firstWordDueInMs(beganAt, beganMs + 3_000, 5_000)).toBe(2_000);
  expect(firstWordDueInMs(beganAt, beganMs, 0)).toBe(0);
});

test('spreadOverSecond() lets nothing happen earlier, nor all of it at once', () => {
  expect(spreadOverSecond(500, () => 0)).toBe(500);
  expect(spreadOverSecond(500, () => 0.75)).toBe(1_250);
  expect(spreadOverSecond(0, () => 0.75)).toBe(0);
});
