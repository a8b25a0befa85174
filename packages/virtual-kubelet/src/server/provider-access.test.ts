import { ApiError } from '@liqo/kube';
import { expect, test } from 'vitest';
import { refusalOfProvider } from './provider-access.ts';

test.each([
  [404, 404],
  [429, 429],
  [503, 503],
  [401, 502],
  [0, 502],
  [100, 502],
  [200, 502],
  [302, 502],
  [99_999, 502],
  [404.5, 502],
  [Number.NaN, 502],
])('refusalOfProvider() answers the status %d of a provider with %d', (code, expected) => {
  expect(refusalOfProvider(new ApiError({ code, message: 'no' })).code).toBe(expected);
});

test('refusalOfProvider() passes on one line of at most 1 KiB', () => {
  const error = new ApiError({ code: 404, message: `no\n\u001b[2J${'x'.repeat(5_000)}` });
  const { message } = refusalOfProvider(error);
  expect(message).toMatch(/^no \[2Jx+…$/);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1024);
});
