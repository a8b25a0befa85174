import { expect, test } from 'vitest';
import { generateProgram } from './generate-program.ts';
import { kindNames } from './sample-kinds.ts';

const programs = Array.from({ length: 200 }, (_, seed) => generateProgram(seed));
const steps = programs.flatMap((program) => program.steps);

test('generateProgram() makes the same program of the same seed, and another of another', () => {
  expect(generateProgram(7)).toEqual(generateProgram(7));
  expect(generateProgram(7).steps).not.toEqual(generateProgram(8).steps);
});

test('generateProgram() makes the same program under another name', () => {
  const [program, other] = [generateProgram(7), generateProgram(7, 'again')];
  expect(JSON.stringify(other).replaceAll('again', 'p7')).toBe(JSON.stringify(program));
  expect(other.namespaces).toEqual(['again-a', 'again-b', 'again-c']);
});

test('generateProgram() makes programs of 5 to 40 calls', () => {
  const lengths = programs.map((program) => program.steps.length);
  expect(Math.min(...lengths)).toBe(5);
  expect(Math.max(...lengths)).toBe(40);
});

test('generateProgram() uses every kind, both callers and every way to write', () => {
  expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(kindNames));
  expect(new Set(steps.map(({ caller }) => caller)).size).toBe(2);
  expect(new Set(steps.map(({ contentType }) => contentType)).size).toBe(5);
  expect(new Set(steps.map(({ subresource }) => subresource))).toEqual(
    new Set([undefined, 'status', 'scale']),
  );
});

test('generateProgram() refers only to steps that came before', () => {
  for (const program of programs) {
    program.steps.forEach(({ edit }, index) => {
      expect(edit?.of ?? -1).toBeLessThan(index);
    });
  }
});
