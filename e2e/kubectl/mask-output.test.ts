import { expect, test } from 'vitest';
import { maskOutput } from './mask-output.ts';

test.each([
  ['an age', 'web   1/1   4m5s', 'web  1/1  <duration>'],
  ['an age with how often', '5s (x2 over 1m)', '<duration>'],
  ['a name made up', 'pod/web-6d9f7c4b6-4xkzj created', 'pod/web-<hash>-<random> created'],
  ['a name made up that reads like an age', 'web-jfqtchg6s2-6466s', 'web-<hash>-<random>'],
  ['a hash made up that reads like an age', 'web-54d6h7m82s', 'web-<hash>'],
  ['a name that somebody gave', 'web-site', 'web-site'],
])('maskOutput() of %s', (_, output, masked) => {
  expect(maskOutput(output)).toBe(masked);
});
