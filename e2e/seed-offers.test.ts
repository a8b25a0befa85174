import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { caseFiles, offerSentences } from './seed/offer-sentences.ts';
import { readSeed } from './seed/read-seed.ts';

const root = join(import.meta.dirname, '..');
const cases = 70;

/** The names of the tests of a file, as they stand there. */
function namesIn(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const calls = text.matchAll(/\btest(?:\.each\([\s\S]*?\))?\(\s*['"`](.*?)['"`],\n?/g);
  return Array.from(calls, ([, name = '']) => name);
}

describe('advertisement-operator.md', () => {
  /** Without its heading, its links and what it has for the eyes only. */
  const sentences = readSeed('advertisement-operator.md')
    .replace(/^---.*?^---$/ms, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^(#|!\[)/.test(line))
    .join(' ');

  test.each(offerSentences)('$sentence … is proved by tests', ({ sentence, tests }) => {
    expect(sentences.replaceAll(/\s+/g, ' ')).toContain(sentence);
    for (const [file, name] of tests) {
      expect(namesIn(file).filter((one) => one.startsWith(name))).not.toEqual([]);
    }
  });

  test('has no item that the table leaves out', () => {
    const items = readSeed('advertisement-operator.md').match(/^ ?(-|\*|\d\.) .*$/gm) ?? [];
    const starts = items.map((item) => item.replace(/^ ?(-|\*|\d\.) /, '').slice(0, 25));
    const isKnown = (start: string) =>
      offerSentences.some(({ sentence }) => sentence.startsWith(start));
    expect(starts.filter((start) => !isKnown(start))).toEqual([]);
  });
});

test(`each of the ${cases} cases of offers has a test with its number`, () => {
  const names = caseFiles.flatMap(namesIn);
  const tested = new Set(
    names.flatMap((name) => /^case (\d+)( of offers)?:/.exec(name)?.[1] ?? []).map(Number),
  );
  const numbers = Array.from({ length: cases }, (_, index) => index + 1);
  expect(numbers.filter((number) => !tested.has(number))).toEqual([]);
});
