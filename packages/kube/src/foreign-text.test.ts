import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { oneLine, safeText, truncateText } from './foreign-text.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

/** As a hostile server writes: escape sequences, line breaks, overrides, lone surrogates, much of each. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\u001b[2J', '\r\n', '\t', '\u202e', '\u2028', '\u009b', '\ud800', '\0'),
      fc.constantFrom('x', 'é', '🎉').map((unit) => unit.repeat(3_000)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

describe.each([
  ['oneLine()', oneLine, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u],
  ['safeText()', safeText, /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u],
] as const)('%s', (_, clean, forbidden) => {
  test('has no character that controls a terminal, within the limit', () => {
    fc.assert(
      fc.property(hostile, fc.integer({ min: 8, max: 4_096 }), (text, maxBytes) => {
        const result = clean(text, maxBytes);
        expect(result).not.toMatch(forbidden);
        expect(bytesOf(result)).toBeLessThanOrEqual(maxBytes);
        expect(clean(result, maxBytes)).toBe(result);
      }),
      { numRuns: 500 },
    );
  });

  test('leaves ordinary text alone', () => {
    expect(clean('Back-off pulling image "nginx:1.29" – später')).toBe(
      'Back-off pulling image "nginx:1.29" – später',
    );
  });

  test('cuts a text of megabytes', () => {
    expect(clean(`start\u001b${'x'.repeat(50_000_000)}`)).toMatch(/^start x+…$/);
  });
});

test('safeText() keeps line breaks and tabs', () => {
  expect(safeText('one\n\ttwo\r\n\u001b[31mthree')).toBe('one\n\ttwo \n [31mthree');
});

test('oneLine() makes a space of line breaks and tabs', () => {
  expect(oneLine('\none\n\ttwo\r\n\u001b[31mthree\n')).toBe('one two [31mthree');
});

test.each([
  ['short', 'short'],
  ['é'.repeat(512), 'é'.repeat(512)],
  ['é'.repeat(600), `${'é'.repeat(510)}…`],
  ['🎉'.repeat(300), `${'🎉'.repeat(255)}…`],
])('truncateText() cuts between characters', (text, expected) => {
  expect(truncateText(text, 1024)).toBe(expected);
});
